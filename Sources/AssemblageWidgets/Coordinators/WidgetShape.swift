import Assemblage

/// Which elements of a node a widget shows, and by which paths.
enum WidgetShape {
  /// The node's children, as the rows of section 0.
  case flat
  /// The node's children as sections, and the children of these sections as rows.
  case sectioned
  /// All descendants of the node.
  case tree

  /// The path in the node; nil for a section that a list without sections does not have.
  func nodePath(of path: IndexPath) -> IndexPath? {
    guard self == .flat, let section = path.first else { return path }
    return section == 0 ? path.dropFirst() : nil
  }

  func widgetPath(of path: IndexPath) -> IndexPath { self == .flat ? IndexPath(index: 0).appending(path) : path }

  /// Whether an element that was at a former path of the widget has the same kind, section or row, at another path.
  func shows(_ path: IndexPath, insteadOf former: IndexPath) -> Bool { self == .tree || path.count == former.count }

  /// The number of children of the element at a path of the widget.
  func count<Element>(at path: IndexPath, in node: any TreeNode<Element>) -> Int {
    switch self {
    case .flat: path.isEmpty ? 1 : path.count == 1 && path[0] == 0 ? node.count : 0
    case .sectioned: path.isEmpty ? node.count : path.count == 1 ? node.child(at: path[0])?.count ?? 0 : 0
    case .tree: node.child(at: path)?.count ?? 0
    }
  }
}
