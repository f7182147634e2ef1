import Assemblage

/// The selection of a widget's rows: a `SelectionModel` of the rows, one below the other.
struct WidgetSelection<Element> {
  /// All rows that can be selected, and their paths.
  private struct Rows {
    let node: any TreeNode<Element>
    /// The row of the element at a path where `hasRow(at:of:_:)` is true.
    let row: (IndexPath) -> Int?
    let path: (Int) -> IndexPath?

    init(of node: any TreeNode<Element>, _ shape: WidgetShape) {
      switch shape {
      case .flat:
        self.node = node
        row = { $0[0] }
        path = { IndexPath(index: $0) }
      case .sectioned:
        let flat = FlattenNode(node)
        self.node = flat
        row = { flat.position(of: $0[1], inMember: $0[0]) }
        path = { row in
          // A section that is a leaf is a row of the flat node, but not a row of the widget.
          let (section, position) = flat.locate(row)
          return position.map { [section, $0] }
        }
      case .tree:
        let rows = DescendantsNode(node)
        self.node = rows
        row = { rows.row(ofPath: $0) }
        path = { rows.path(ofRow: $0) }
      }
    }
  }

  let model: SelectionModel<Element, AnyHashable>
  private let root: any TreeNode<Element>
  private let rows: Rows
  private let shape: WidgetShape
  private let id: ((Element) -> AnyHashable)?
  /// The observation of `model`, which lives as long as the selection.
  var observation: NodeObservation?

  init(of node: any TreeNode<Element>, _ shape: WidgetShape, _ mode: SelectionMode, _ id: ((Element) -> AnyHashable)?) {
    root = node
    rows = Rows(of: node, shape)
    self.shape = shape
    self.id = id
    model = SelectionModel(rows.node, mode, id)
  }

  /// Selects in another node the elements that were selected in a former node.
  ///
  /// - Parameters:
  ///   - former: the selection so far.
  ///   - node: the other node.
  ///   - change: leads from the contents of the former node to the contents of the other node; nil: only equal ids
  ///     identify the same elements.
  init(succeeding former: Self, of node: any TreeNode<Element>, after change: ChangeSet?) {
    self.init(of: node, former.shape, former.model.mode, former.id)
    if id != nil {
      model.select(ids: former.model.selectedIDs + Array(former.model.absentIDs))
    } else if let change {
      for path in former.selectedPaths {
        guard let path = change.path(after: path), let row = row(at: path) else { continue }
        model.select(row)
      }
    }
  }

  /// The row of the element at a path of the node. nil if the element is no row, for example a section. nil also if
  /// there is no element.
  func row(at path: IndexPath) -> Int? { Self.hasRow(at: path, of: root, shape) ? rows.row(path) : nil }

  /// Whether a widget shows the element at a path of a node as a row. This reads only the nodes above the element.
  static func hasRow(at path: IndexPath, of node: any TreeNode<Element>, _ shape: WidgetShape) -> Bool {
    guard let position = path.last, let parent = node.child(at: path.dropLast()), position < parent.count else {
      return false
    }
    return switch shape {
    case .flat: path.count == 1
    case .sectioned: path.count == 2
    // A node without a value only groups its children.
    case .tree: parent.element(at: position) != nil || parent.child(at: position) == nil
    }
  }

  /// The path in the node of the element in a row; nil if the widget does not show the element as a row.
  func path(of row: Int) -> IndexPath? { rows.path(row) }

  /// The paths in the node of the selected elements.
  var selectedPaths: [IndexPath] { model.selectedRanges.joined().compactMap(rows.path) }
}
