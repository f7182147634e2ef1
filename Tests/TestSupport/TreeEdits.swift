public import Assemblage
public import AssemblageTesting

/// Random edits by path of any writable tree.
///
/// Each new element has an id that no earlier element had.
public final class TreeEdits {
  /// One edit at a random place.
  public enum Edit: String, CaseIterable, Sendable {
    case move, insertLeaf, insertTree, remove, value
  }

  public var generator: SeededGenerator
  private var lastID = 0

  /// Creates the edits of one script.
  ///
  /// - Parameters:
  ///   - test: a name that no other test uses.
  ///   - iteration: the number of the script.
  public init(_ test: String, iteration: Int) { generator = TestSeed.generator(test, iteration: iteration) }

  /// Draws a number.
  public func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  /// Makes an element with a new id.
  public func row() -> Row {
    lastID += 1
    return Row(id: lastID)
  }

  /// Makes an edit of a tree.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - root: the tree.
  ///   - newNode: makes the node that `.insertTree` inserts; nil for no node.
  /// - Returns: whether the edit was made, because there was a place for it.
  public func make(_ edit: Edit, in root: any TreeNode<Row>, newNode: () -> (any TreeNode<Row>)?) -> Bool {
    let paths = TreeSnapshot(of: root).paths.filter { !$0.isEmpty }
    let branches = paths.filter { root.child(at: $0) != nil }
    let path = paths.randomElement(using: &generator)
    func place() -> IndexPath {
      let parent = branches.randomElement(using: &generator) ?? []
      return parent.appending(random(0...root.count(at: parent)!))
    }
    switch edit {
    case .insertLeaf: root.insert(row(), at: place())
    case .insertTree:
      guard let node = newNode() else { return false }
      root.insert(node, at: place())
    case .move:
      guard let path else { return false }
      let parent = (branches.filter { !$0.starts(with: path) } + [[]]).randomElement(using: &generator)!
      root.move(path, into: parent, at: random(0...root.count(at: parent)!))
    case .remove:
      guard let path else { return false }
      root.remove(at: path)
    case .value:
      guard let path, let value = root[path] else { return false }
      let row = Row(id: value.id, version: random(0...9))
      if let branch = root.child(at: path) as? BranchNode<Row> {
        branch.value = row
      } else {
        root.replace(at: path, with: row)
      }
    }
    return true
  }
}

@available(*, unavailable)
extension TreeEdits: Sendable {}
