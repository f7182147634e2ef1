import OffsetIndexing

// Where each kind of node shows what stands in its sources.

extension SourcePlacing where Self: SourceView {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? { path.mappingFirst { position(ofSource: $0) } }
}

extension BranchNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    path.prepending(state.value.translation.position(ofSlot: slot))
  }
}

extension ForestNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? { nil }

  var maker: (node: any TreeNode, path: [Int])? {
    state.value.root.map { ($0, state.value.storage.value.path(of: branch, from: $0.branch)!) }
  }
}

extension HierarchyNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? { nil }

  var maker: (node: any TreeNode, path: [Int])? {
    guard let (root, path) = forest.maker else { return nil }
    return (root.hub.owner ?? root, path)
  }
}

extension PropertyNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    path.prepending(state.value.nodes.position(ofSlot: slot))
  }
}

extension ResultsNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    state.value.slots[slot].map { path.prepending($0.ordinal) }
  }
}

extension JoinNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    path.mappingFirst {
      state.value.translation.offsets.range(of: state.value.translation.ordinal(ofSlot: slot)).lowerBound + $0
    }
  }
}

extension SegmentNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    slot == state.value.translation.shown ? path.mappingFirst { $0 } : nil
  }
}

extension FlattenNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    guard let child = path.first else { return nil }
    let rest = path.dropFirst()
    return position(of: rest.first, inMember: child).map { rest.dropFirst().prepending($0) }
  }
}

extension FilterNode: SourcePlacing {}

extension SortNode: SourcePlacing {}

extension SliceNode: SourcePlacing {}

extension UniqueNode: SourcePlacing {}

extension MapNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? { path.mappingFirst { $0 } }

  var copiedNode: (any TreeNode)? { source }
}

extension TreePart {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    if path.isEmpty { return nil }
    return map(IndexPath(indexes: path.components), .toView).map { path.replaced(by: $0) }
  }

  var copiedNode: (any TreeNode)? { state.value.source }

  func copiedPath(of path: [Int]) -> [Int]? { map(IndexPath(indexes: path), .toSource).map { Array($0) } }
}

extension OutlineNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    row(ofPath: IndexPath(indexes: path.components)).map { path.replaced(by: [$0]) }
  }
}

extension DescendantsNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    path.mappingFirst { state.value.translation.passes[$0] ? state.value.translation.passes.rank($0) : nil }
  }
}

extension GroupNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    guard let row = path.first else { return nil }
    let place = place(ofSource: row)
    return path.dropFirst().prepending(place.row).prepending(place.section)
  }
}

extension GroupSection: SourcePlacing {
  var maker: (node: any TreeNode, path: [Int])? { place.map { ($0.node, [$0.position]) } }
}

extension NestNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    guard let row = path.first, path.dropFirst().isEmpty else { return nil }
    return self.path(ofSource: row).map { path.replaced(by: $0) }
  }

  var maker: (node: any TreeNode, path: [Int])? {
    guard let row else { return nil }
    return (root, family.translation.value.path(of: row))
  }
}
