import Assemblage
import OffsetIndexing

// Updates the shape and the texts after the node's changes.
extension TextIndex {
  /// Makes a builder for new texts.
  func builder() -> TextColumn.Builder {
    TextColumn.Builder(folding, target: column.target)
  }

  /// Follows a change. Parents are before their children. So the path to each branch is its path in the node after the
  /// change.
  ///
  /// If a child has moved to another parent, it is a removal at the old parent and an insertion at the new one.
  func follow(_ change: ChangeSet) {
    var open = [(branch: TreeIndex.root, delta: change.delta, children: change.children)]
    while let (branch, delta, children) = open.popLast() {
      if isScattered(delta, in: branch) {
        readAgain(branch)
        continue
      }
      if !delta.isEmpty { follow(delta, of: branch) }
      for child in children.reversed() {
        // A leaf may have got its first child.
        let next =
          shape.branch(at: child.position, of: branch) ?? shape.makeBranch(at: child.position, of: branch)
        open.append((next, child.delta, child.children))
      }
    }
    if !change.isEmpty { readers.haveNews = true }
    // A view may read the index while it translates a change. A reader could not change nodes then. After an early
    // change, the node calls again in its turn.
    if observation?.isEarly != true { readers.notify() }
  }

  /// Whether a change has so many ranges that to read all elements below the branch again costs less than to follow
  /// each range. To read an element takes some 50 ns, and to move a range takes some microseconds.
  private func isScattered(_ delta: Delta, in branch: TreeIndex.Branch) -> Bool {
    let ranges = delta.removals.count + delta.insertions.count + delta.moves.count + delta.updates.count
    return ranges > fewRanges && ranges * 64 > shape.descendants(of: branch).count
  }

  /// Reads all elements below a branch again.
  private func readAgain(_ branch: TreeIndex.Branch) {
    let children = 0..<shape.childCount(of: branch)
    column.replaceSubrange(numbers(children, of: branch), with: [])
    shape.removeChildren(children, of: branch)
    if let node = node(of: branch) { insert(0..<node.count, of: branch, node) }
  }

  func node(of branch: TreeIndex.Branch) -> (any TreeNode<Element>)? {
    if branch == TreeIndex.root { return node }
    return node.child(at: IndexPath(indexes: shape.path(to: shape.number(of: branch))))
  }

  /// Follows the change of the children of a branch.
  private func follow(_ delta: Delta, of branch: TreeIndex.Branch) {
    // Nil where a branch has lost its children, and is a leaf now.
    let node = node(of: branch)
    var isLifted = false
    delta.rearrange(
      carrying: { range in
        let numbers = numbers(range, of: branch)
        let texts = column.slice(numbers)
        column.replaceSubrange(numbers, with: [])
        isLifted = true
        return (piece: shape.cutChildren(range, of: branch), texts: texts)
      },
      lifting: { range in
        if !isLifted {
          column.replaceSubrange(numbers(range, of: branch), with: [])
          shape.removeChildren(range, of: branch)
        }
        isLifted = false
      },
      putting: { range, carried in
        if let carried {
          put(carried.texts, at: range.lowerBound, of: branch)
          shape.paste(carried.piece, into: branch, at: range.lowerBound)
        } else if let node {
          insert(range, of: branch, node)
        }
      })
    guard let node else { return }
    for range in delta.updates { update(range, of: branch, node) }
  }

  /// The numbers of some children of a branch and of their descendants.
  private func numbers(_ range: Range<Int>, of branch: TreeIndex.Branch) -> Range<Int> {
    let start = shape.number(ofInsertionAt: range.lowerBound, into: branch)
    return start..<shape.number(ofInsertionAt: range.upperBound, into: branch)
  }

  /// Reads children that have arrived, and all their descendants.
  private func insert(_ range: Range<Int>, of branch: TreeIndex.Branch, _ node: any TreeNode<Element>) {
    let new = reading.read(node, range, builder())
    // Unread texts may be among them, and a filter may hide their elements.
    if column.readingStart != .max { readingCount += 1 }
    put(new.texts, at: range.lowerBound, of: branch)
    shape.insert(new.shape, into: branch, at: range.lowerBound) { _, _ in }
  }

  private func put(_ texts: [TextChunk], at position: Int, of branch: TreeIndex.Branch) {
    let number = shape.number(ofInsertionAt: position, into: branch)
    column.replaceSubrange(number..<number, with: texts)
  }

  /// Reads the texts of children again, without the texts of their descendants.
  private func update(_ range: Range<Int>, of branch: TreeIndex.Branch, _ node: any TreeNode<Element>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let numbers = shape.run(at: position, of: branch).numbers
      let length = min(numbers.count, range.upperBound - position)
      var builder = builder()
      reading.readLevel(node, position..<position + length, &builder)
      column.replaceSubrange(
        numbers.lowerBound..<numbers.lowerBound + length, with: builder.finish())
      position += length
    }
  }
}
