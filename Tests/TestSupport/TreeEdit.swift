public import AssemblageTesting
public import Foundation

extension NaiveTree {
  /// Returns every edit of one node at every path.
  ///
  /// The edits are the insertion of `leaf`, removal, and the replacement of a value by `leaf`. Every move of a subtree
  /// to another place (never into itself) is an edit too.
  public func everyEdit(leaf: Element) -> [TreeEdit<Element>] {
    var edits: [TreeEdit<Element>] = []
    for path in paths {
      for index in 0...self[path].children.count {
        edits.append(.insert(leaf, at: path.appending(index)))
      }
      if path.isEmpty { continue }
      edits.append(.remove(at: path))
      edits.append(.update(leaf, at: path))
      var rest = self
      rest.remove(at: path)
      for parent in rest.paths {
        for index in 0...rest[parent].children.count where parent.appending(index) != path {
          edits.append(.move(from: path, to: parent.appending(index)))
        }
      }
    }
    return edits
  }
}

/// One edit of a `NaiveTree`.
public enum TreeEdit<Element> {
  /// Inserts a leaf at a path.
  case insert(Element, at: IndexPath)
  /// Removes a subtree.
  case remove(at: IndexPath)
  /// Replaces a node's value and keeps its children.
  case update(Element, at: IndexPath)
  /// Moves a subtree; the target is a path in the tree after the move.
  case move(from: IndexPath, to: IndexPath)

  /// Applies the edit to `tree`.
  public func apply(to tree: inout NaiveTree<Element>) {
    switch self {
    case .insert(let element, let path): tree.insert(NaiveTree(value: element), at: path)
    case .remove(let path): tree.remove(at: path)
    case .update(let element, let path): tree[path].value = element
    case .move(let source, let target): tree.move(from: source, to: target)
    }
  }
}

extension TreeEdit: Equatable where Element: Equatable {}
extension TreeEdit: Sendable where Element: Sendable {}
