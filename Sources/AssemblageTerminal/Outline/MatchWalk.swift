import Assemblage

/// Walks through a tree in the order of its rows, as if all rows were expanded, in slices of time.
///
/// The tree may change between two slices. If the current place no longer exists, the walk goes on from the nearest
/// place before it.
struct MatchWalk<Element> {
  enum Outcome {
    case onTheWay, nothing
    case match(IndexPath)
  }

  let start: IndexPath
  let step: Int
  let isFound: (Element) -> Bool
  /// The numbers of the elements to check, in the order of the walk; nil when the walk checks the whole tree.
  var numbers: ArraySlice<Int>?
  private var place: IndexPath
  /// Whether the walk has passed the end of the tree and goes on at the other end.
  private var hasTurned = false

  init(start: IndexPath, step: Int, isFound: @escaping (Element) -> Bool, among numbers: [Int]? = nil) {
    (self.start, self.step, self.isFound, place) = (start, step, isFound, start)
    self.numbers = numbers?[...]
  }

  mutating func go(in tree: any TreeNode<Element>, until end: ContinuousClock.Instant) -> Outcome {
    guard tree.count > 0 else { return .nothing }
    var cursor = TreeCursor(tree, at: place)
    repeat {
      for _ in 0..<64 {
        if !(step > 0 ? cursor.goToNext() : cursor.goToPrevious()) {
          if hasTurned { return .nothing }
          hasTurned = true
          cursor = step > 0 ? TreeCursor(firstOf: tree) : TreeCursor(lastOf: tree)
        }
        let path = cursor.path
        if hasTurned, step > 0 ? path >= start : path <= start { return .nothing }
        if let element = cursor.element, isFound(element) { return .match(path) }
      }
    } while ContinuousClock.now < end
    place = cursor.path
    return .onTheWay
  }
}

/// A place in a tree that moves from element to element.
///
/// An element is visited before its descendants.
private struct TreeCursor<Element> {
  private var levels: [(node: any TreeNode<Element>, position: Int)] = []

  /// Creates a cursor at a path.
  ///
  /// If the path leads nowhere, the cursor is at the nearest place before the path.
  init(_ tree: any TreeNode<Element>, at path: IndexPath) {
    var node = tree
    for position in path {
      guard node.count > 0 else { return }
      levels.append((node, min(position, node.count - 1)))
      guard position < node.count, let child = node.child(at: position) else { return }
      node = child
    }
  }

  init(firstOf tree: any TreeNode<Element>) { levels = [(tree, 0)] }

  init(lastOf tree: any TreeNode<Element>) {
    levels = [(tree, tree.count - 1)]
    goToLastBelow()
  }

  var path: IndexPath { IndexPath(indexes: levels.map(\.position)) }

  var element: Element? { levels.last.flatMap { $0.node.element(at: $0.position) } }

  private var child: (any TreeNode<Element>)? { levels.last.flatMap { $0.node.child(at: $0.position) } }

  /// Moves to the next element; returns false at the end of the tree.
  mutating func goToNext() -> Bool {
    if let child, child.count > 0 {
      levels.append((child, 0))
      return true
    }
    while let last = levels.popLast() {
      if last.position + 1 < last.node.count {
        levels.append((last.node, last.position + 1))
        return true
      }
    }
    return false
  }

  /// Moves to the previous element; returns false at the beginning of the tree.
  mutating func goToPrevious() -> Bool {
    guard let last = levels.popLast() else { return false }
    if last.position == 0 { return !levels.isEmpty }
    levels.append((last.node, last.position - 1))
    goToLastBelow()
    return true
  }

  private mutating func goToLastBelow() {
    while let child, child.count > 0 { levels.append((child, child.count - 1)) }
  }
}
