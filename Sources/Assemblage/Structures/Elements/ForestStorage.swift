public import OffsetIndexing

/// Holds the shape of a tree, the shapes of the parts that were cut out of it, and the elements of all.
///
///     shape       one TreeIndex: the tree's root, and a piece for each part that was cut out
///     contents    0  [a b c d e …]      the elements of the tree by document number
///                 1  [x y]              the elements of a piece
///
/// A branch keeps its handle wherever it moves, also from one tree to another. An element that is no branch costs only
/// its place in an array.
///
/// A branch has *children*, which are counted by position. The place of an element in its tree's array is its *number*.
@usableFromInline
struct ForestStorage<Element> {
  @usableFromInline typealias Branch = TreeIndex.Branch

  @usableFromInline var shape: TreeIndex

  /// The elements of each tree, by document number. The first tree is that of the shape's root.
  @usableFromInline var contents: ContiguousArray<ChunkedArray<Element>>

  /// The indexes of trees that new pieces may use.
  @usableFromInline var free: [Int] = []

  @inlinable
  init(shape: TreeIndex, elements: consuming ChunkedArray<Element>) {
    self.shape = shape
    contents = [elements]
  }
}

/// A tree in a `ForestStorage`: the branch above all its elements, and the index of its elements in `contents`.
@usableFromInline
struct ForestTree {
  /// The shape's root, or a piece that was cut out.
  @usableFromInline let top: TreeIndex.Branch
  @usableFromInline let index: Int

  @inlinable
  init(top: TreeIndex.Branch, index: Int) {
    self.top = top
    self.index = index
  }

  /// The tree of the shape's root.
  @inlinable
  static var first: ForestTree { ForestTree(top: TreeIndex.root, index: 0) }
}

// MARK: - Reading

extension ForestStorage {
  @inlinable
  func element(at position: Int, of branch: Branch, in tree: Int) -> Element? {
    guard position >= 0, position < shape.childCount(of: branch) else { return nil }
    return contents[tree][shape.child(at: position, of: branch).number]
  }

  /// Passes the elements of some children of a branch, in pieces that are contiguous in memory.
  ///
  /// A static function of a place, for the reason that `NodeState.forEachSpan` gives.
  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of branch: Branch, in tree: Int, of storage: UnsafePointer<Self>,
    _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    // Copies: should `body` change the tree, this visit still reads the former elements.
    let shape = unsafe storage.pointee.shape
    let elements = unsafe storage.pointee.contents[tree]
    var position = range.lowerBound
    while position < range.upperBound {
      var numbers = shape.run(at: position, of: branch).numbers
      if numbers.count > range.upperBound &- position {
        numbers = numbers.lowerBound..<numbers.lowerBound &+ range.upperBound &- position
      }
      let start = position &- numbers.lowerBound
      elements.forEachSpan(in: numbers) { body($0 &+ start, $1) }
      position &+= numbers.count
    }
  }

  /// The element that a branch is.
  @inlinable
  func element(of branch: Branch, in tree: Int) -> Element { contents[tree][shape.number(of: branch)] }

  /// The numbers of some children of a branch, and of their descendants.
  @inlinable
  func numbers(of range: Range<Int>, of branch: Branch) -> Range<Int> {
    let start = shape.number(ofInsertionAt: range.lowerBound, into: branch)
    if range.count == 1, shape.branch(at: range.lowerBound, of: branch) == nil { return start..<start + 1 }
    return start..<shape.number(ofInsertionAt: range.upperBound, into: branch)
  }

  /// The top of the tree that holds a branch: the shape's root, or a piece.
  func top(of branch: Branch) -> Branch { shape.parent(of: branch) == nil ? branch : shape.forest(of: branch) }

  /// The path of a branch, from a branch above it; nil where `top` is not above the branch.
  func path(of branch: Branch, from top: Branch) -> [Int]? {
    var path: [Int] = []
    var branch = branch
    while branch != top {
      guard let parent = shape.parent(of: branch) else { return nil }
      path.append(shape.position(of: branch))
      branch = parent
    }
    return path.reversed()
  }
}

// MARK: - Edits

extension ForestStorage {
  @inlinable
  mutating func insertLeaf(_ element: Element, at position: Int, of branch: Branch, in tree: Int) {
    contents[tree].insert(element, at: shape.insertLeaves(1, into: branch, at: position))
  }

  @inlinable
  mutating func insertLeaves(_ elements: [Element], at position: Int, of branch: Branch, in tree: Int) {
    let number = shape.insertLeaves(elements.count, into: branch, at: position)
    contents[tree].replaceSubrange(number..<number, with: elements)
  }

  /// Removes a child that is a leaf.
  @inlinable
  mutating func removeLeaf(at position: Int, of branch: Branch, in tree: Int) -> Element {
    contents[tree].remove(at: shape.removeLeaf(at: position, of: branch))
  }

  /// Replaces the value of a child. Returns the former value, and whether the child is a leaf.
  @inlinable
  mutating func replace(
    at position: Int, of branch: Branch, in tree: Int, with element: Element
  ) -> (former: Element, isLeaf: Bool) {
    let child = shape.child(at: position, of: branch)
    return (contents[tree].exchange(at: child.number, with: element), child.branch == nil)
  }

  /// Moves a child with its descendants to another place among its siblings.
  @inlinable
  mutating func move(from position: Int, to destination: Int, of branch: Branch, in tree: Int) {
    let numbers = numbers(of: position..<position + 1, of: branch)
    shape.moveChild(at: position, of: branch, to: destination, of: branch)
    let elements = contents[tree].cut(numbers)
    contents[tree].insert(contentsOf: elements, at: shape.child(at: destination, of: branch).number)
  }

  // MARK: From tree to tree

  /// Makes a tree for a piece of the shape.
  @usableFromInline
  mutating func addTree(_ top: Branch, _ elements: consuming ChunkedArray<Element>) -> ForestTree {
    if let index = free.popLast() {
      contents[index] = elements
      return ForestTree(top: top, index: index)
    }
    contents.append(elements)
    return ForestTree(top: top, index: contents.count - 1)
  }

  /// Removes all elements of a tree, and returns them.
  mutating func takeElements(of tree: Int) -> ChunkedArray<Element> {
    var elements = ChunkedArray<Element>(EmptyCollection(), capacities: contents[tree].capacities)
    swap(&elements, &contents[tree])
    return elements
  }

  /// Makes a tree without elements.
  mutating func makeTree() -> ForestTree {
    let elements = ChunkedArray<Element>(EmptyCollection(), capacities: contents[0].capacities)
    return addTree(shape.cutChildren(0..<0, of: TreeIndex.root), elements)
  }

  /// Cuts children with their descendants out of a branch, as a tree of its own.
  ///
  /// - Complexity: O(log n + b) for the shape with b branches among the children, and O(c) for the c chunks of their
  ///   elements.
  mutating func cut(_ range: Range<Int>, of branch: Branch, in tree: Int) -> ForestTree {
    let numbers = numbers(of: range, of: branch)
    let piece = shape.cutChildren(range, of: branch)
    return addTree(piece, contents[tree].cut(numbers))
  }

  /// Inserts the contents of a tree among the children of a branch. The tree ends.
  mutating func paste(_ piece: ForestTree, at position: Int, of branch: Branch, in tree: Int) {
    let number = shape.number(ofInsertionAt: position, into: branch)
    let top =
      piece.top == TreeIndex.root ? shape.cutChildren(0..<shape.childCount(of: piece.top), of: piece.top) : piece.top
    shape.paste(top, into: branch, at: position)
    contents[tree].insert(contentsOf: takeElements(of: piece.index), at: number)
    if piece.index > 0 { free.append(piece.index) }
  }

  /// Inserts the contents of a tree of another storage among the children of a branch. The other tree ends.
  ///
  /// - Returns: the new handles of the branches, by their former ones.
  mutating func paste(
    _ piece: ForestTree, of other: inout ForestStorage, at position: Int, of branch: Branch, in tree: Int
  ) -> [Branch: Branch] {
    let number = shape.number(ofInsertionAt: position, into: branch)
    let handles = shape.insert(other.shape, childrenOf: piece.top, into: branch, at: position)
    contents[tree].insert(contentsOf: other.takeElements(of: piece.index), at: number)
    other.removeTree(piece)
    return handles
  }

  /// Ends a tree.
  ///
  /// - Parameters:
  ///   - tree: the tree that is no longer wanted.
  ///   - body: receives each branch that was in the tree.
  /// - Returns: the elements that were in the tree.
  @discardableResult
  mutating func removeTree(_ tree: ForestTree, _ body: (Branch) -> Void = { _ in }) -> ChunkedArray<Element> {
    if tree.index == 0 {
      shape.removeChildren(0..<shape.childCount(of: tree.top), of: tree.top, body)
    } else {
      shape.removePiece(tree.top, body)
      free.append(tree.index)
    }
    return takeElements(of: tree.index)
  }

  // MARK: Leaves and branches

  /// Makes a leaf a branch.
  @discardableResult
  mutating func makeBranch(at position: Int, of branch: Branch) -> Branch { shape.makeBranch(at: position, of: branch) }

  /// Traps unless the shape and the elements agree.
  func checkInvariants() {
    shape.checkInvariants()
    require(contents[0].count == shape.count, "A forest has \(contents[0].count) elements in \(shape.count) places.")
    for elements in contents { elements.checkInvariants() }
    for index in free { require(contents[index].count == 0, "A free tree has elements.") }
  }
}
