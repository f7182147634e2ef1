import OffsetIndexing

/// The job of the suite `tree-index`: the parent and the position of each element of a forest.
///
/// A branch is identified by its place among the branches that the forest was built with, in document order.
protocol ForestShaping: Measured {
  init(depths: [Int32])
  /// Builds a forest, and no data beside it.
  static func build(_ depths: [Int32]) -> Int
  /// The heap bytes that the subject holds; nil where that is not known.
  var byteCount: Int? { get }
  /// The sum of the parent's number (-1 on the top level), the position among the siblings, and the depth.
  func locate(_ number: Int) -> Int
  func number(ofBranch branch: Int) -> Int
  func position(ofBranch branch: Int) -> Int
  /// The sum of the positions on the way from the top to an element.
  func path(to number: Int) -> Int
  mutating func insertLeaf(intoBranch branch: Int)
  /// Removes the first child of a branch, which is a leaf.
  mutating func removeLeaf(ofBranch branch: Int)
  /// Cuts out a branch with all its descendants, and inserts it at the same place.
  mutating func cutAndPaste(_ branch: Int)
  /// The sum of all depths.
  func scan() -> Int
}

extension ForestShaping {
  /// The depths of a forest of `n` elements in which each branch has ten children, or as many as possible below ten.
  static func wide(_ n: Int) -> [Int32] {
    var depths: [Int32] = []
    depths.reserveCapacity(n)
    var waiting: [(count: Int, depth: Int32)] = [(n, 0)]
    while let (count, depth) = waiting.popLast() {
      // The last of up to ten trees of nearly the same size. The trees before it wait below its own elements.
      let trees = min(10, count)
      for tree in (0..<trees).reversed() {
        let size = count * (tree + 1) / trees - count * tree / trees
        waiting.append((-size, depth))
      }
      while let (size, depth) = waiting.last, size < 0 {
        waiting.removeLast()
        depths.append(depth)
        if size < -1 {
          waiting.append((-size - 1, depth + 1))
          break
        }
      }
    }
    return depths
  }
}

/// The library's tree index, and beside it the handles by their place in document order.
struct TreeIndexShape: ForestShaping {
  static let name = "TreeIndex"
  static var origin: Subject.Origin { .library }
  private var index: TreeIndex
  private let branches: [TreeIndex.Branch]

  init(depths: [Int32]) {
    index = TreeIndex(depths: depths.lazy.map { Int($0) })
    branches = index.runs().compactMap(\.branch)
  }

  static func build(_ depths: [Int32]) -> Int { TreeIndex(depths: depths.lazy.map { Int($0) }).count }

  var byteCount: Int? { index.byteCount }

  @inline(__always)
  func locate(_ number: Int) -> Int {
    let place = index.locate(number)
    return place.position &+ place.depth
  }

  @inline(__always)
  func number(ofBranch branch: Int) -> Int { index.number(of: branches[branch]) }
  @inline(__always)
  func position(ofBranch branch: Int) -> Int { index.position(of: branches[branch]) }
  func path(to number: Int) -> Int { index.path(to: number).reduce(0, &+) }
  @inline(__always)
  mutating func insertLeaf(intoBranch branch: Int) { index.insertLeaves(1, into: branches[branch], at: 0) }
  @inline(__always)
  mutating func removeLeaf(ofBranch branch: Int) { index.removeChildren(0..<1, of: branches[branch]) }

  @inline(__always)
  mutating func cutAndPaste(_ branch: Int) {
    let branch = branches[branch]
    guard let parent = index.parent(of: branch) else { return }
    let position = index.position(of: branch)
    index.moveChild(at: position, of: parent, to: position, of: parent)
  }

  func scan() -> Int { index.runs().reduce(0) { $0 &+ $1.depth &* $1.numbers.count } }
}

/// An array of children for each branch, with counts of descendants. Each question climbs or descends level by level.
struct NestedArrays: ForestShaping {
  static let name = "NestedArrays"

  private struct Element {
    var parent: Int32
    /// The number of the element and its descendants.
    var count: Int32 = 1
    var children: [Int32] = []
  }

  /// Element 0 is above the top level.
  private var elements: [Element]
  private var branches: [Int32] = []
  private var free: [Int32] = []

  init(depths: [Int32]) {
    elements = [Element(parent: -1)]
    elements.reserveCapacity(depths.count + 1)
    var open: [Int32] = [0]
    for depth in depths {
      open.removeSubrange(Int(depth + 1)...)
      let element = Int32(elements.count)
      elements.append(Element(parent: open[Int(depth)]))
      elements[Int(open[Int(depth)])].children.append(element)
      open.append(element)
    }
    for element in elements.indices.dropFirst().reversed() {
      elements[Int(elements[element].parent)].count += elements[element].count
    }
    branches = elements.indices.dropFirst().filter { !elements[$0].children.isEmpty }.map { Int32($0) }
  }

  static func build(_ depths: [Int32]) -> Int { Self(depths: depths).elements.count }

  var byteCount: Int? { nil }

  func locate(_ number: Int) -> Int {
    var rest = Int32(number)
    var element = 0
    var depth = 0
    while true {
      var position = 0
      for child in elements[element].children {
        let count = elements[Int(child)].count
        if rest < count {
          if rest == 0 { return position &+ depth }
          element = Int(child)
          break
        }
        rest -= count
        position += 1
      }
      rest -= 1
      depth += 1
    }
  }

  func number(ofBranch branch: Int) -> Int {
    var element = branches[branch]
    var number = -1
    while element != 0 {
      let parent = elements[Int(element)].parent
      for child in elements[Int(parent)].children {
        if child == element { break }
        number += Int(elements[Int(child)].count)
      }
      number += 1
      element = parent
    }
    return number
  }

  func position(ofBranch branch: Int) -> Int {
    let element = branches[branch]
    return elements[Int(elements[Int(element)].parent)].children.firstIndex(of: element)!
  }

  func path(to number: Int) -> Int {
    var rest = Int32(number)
    var element = 0
    var sum = 0
    while true {
      for (position, child) in elements[element].children.enumerated() {
        let count = elements[Int(child)].count
        if rest < count {
          sum &+= position
          if rest == 0 { return sum }
          element = Int(child)
          break
        }
        rest -= count
      }
      rest -= 1
    }
  }

  private mutating func add(_ count: Int32, from element: Int32) {
    var element = element
    while element >= 0 {
      elements[Int(element)].count += count
      element = elements[Int(element)].parent
    }
  }

  mutating func insertLeaf(intoBranch branch: Int) {
    let new = free.popLast() ?? Int32(elements.count)
    if Int(new) == elements.count { elements.append(Element(parent: 0)) }
    elements[Int(new)].parent = branches[branch]
    elements[Int(branches[branch])].children.insert(new, at: 0)
    add(1, from: branches[branch])
  }

  mutating func removeLeaf(ofBranch branch: Int) {
    free.append(elements[Int(branches[branch])].children.remove(at: 0))
    add(-1, from: branches[branch])
  }

  mutating func cutAndPaste(_ branch: Int) {
    let element = branches[branch]
    let parent = elements[Int(element)].parent
    let position = position(ofBranch: branch)
    let count = elements[Int(element)].count
    elements[Int(parent)].children.remove(at: position)
    add(-count, from: parent)
    elements[Int(parent)].children.insert(element, at: position)
    add(count, from: parent)
  }

  func scan() -> Int {
    var sum = 0
    var open: [(element: Int, next: Int)] = [(0, 0)]
    while let (element, next) = open.last {
      guard next < elements[element].children.count else {
        open.removeLast()
        continue
      }
      sum += open.count - 1
      open[open.count - 1].next += 1
      let child = Int(elements[element].children[next])
      if !elements[child].children.isEmpty { open.append((child, 0)) }
    }
    return sum
  }
}

/// The depths in document order, searched one by one. A branch is found by its mark.
struct DepthArray: ForestShaping {
  static let name = "DepthArray"
  private var depths: [Int32]
  /// The place among the branches, or -1 for a leaf.
  private var marks: [Int32]

  init(depths: [Int32]) {
    self.depths = depths
    marks = []
    marks.reserveCapacity(depths.count)
    var branches: Int32 = 0
    for (number, depth) in depths.enumerated() {
      let isBranch = number + 1 < depths.count && depths[number + 1] > depth
      marks.append(isBranch ? branches : -1)
      if isBranch { branches += 1 }
    }
  }

  static func build(_ depths: [Int32]) -> Int { Self(depths: depths).marks.count }

  var byteCount: Int? { depths.capacity * 4 + marks.capacity * 4 }

  private func parent(_ number: Int) -> (number: Int, position: Int) {
    let depth = depths[number]
    var position = 0
    var other = number - 1
    while other >= 0 && depths[other] >= depth {
      if depths[other] == depth { position += 1 }
      other -= 1
    }
    return (other, position)
  }

  func locate(_ number: Int) -> Int { parent(number).position &+ Int(depths[number]) }

  func number(ofBranch branch: Int) -> Int { marks.firstIndex(of: Int32(branch))! }

  func position(ofBranch branch: Int) -> Int { parent(number(ofBranch: branch)).position }

  func path(to number: Int) -> Int {
    var number = number
    var sum = 0
    while number >= 0 {
      let parent = parent(number)
      sum += parent.position
      number = parent.number
    }
    return sum
  }

  mutating func insertLeaf(intoBranch branch: Int) {
    let number = number(ofBranch: branch)
    depths.insert(depths[number] + 1, at: number + 1)
    marks.insert(-1, at: number + 1)
  }

  mutating func removeLeaf(ofBranch branch: Int) {
    let number = number(ofBranch: branch)
    depths.remove(at: number + 1)
    marks.remove(at: number + 1)
  }

  mutating func cutAndPaste(_ branch: Int) {
    let number = number(ofBranch: branch)
    let depth = depths[number]
    var end = number + 1
    while end < depths.count && depths[end] > depth { end += 1 }
    let cut = (Array(depths[number..<end]), Array(marks[number..<end]))
    depths.removeSubrange(number..<end)
    marks.removeSubrange(number..<end)
    depths.insert(contentsOf: cut.0, at: number)
    marks.insert(contentsOf: cut.1, at: number)
  }

  func scan() -> Int { depths.reduce(0) { $0 + Int($1) } }
}
