import OffsetIndexing

// Where each kind of node shows what stands in its sources.

extension BranchNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { [state.value.translation.position(ofSlot: slot)] + path }
}

extension ForestNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { nil }

  var maker: (node: any TreeNode, path: [Int])? {
    state.value.root.map { ($0, state.value.storage.value.path(of: branch, from: $0.branch)!) }
  }
}

extension HierarchyNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { nil }

  var maker: (node: any TreeNode, path: [Int])? {
    guard let (root, path) = forest.maker else { return nil }
    return (root.hub.owner ?? root, path)
  }
}

extension PropertyNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { [state.value.nodes.position(ofSlot: slot)] + path }
}

extension ResultsNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { state.value.slots[slot].map { [$0.ordinal] + path } }
}

extension JoinNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    path.mappingFirst {
      state.value.translation.offsets.range(of: state.value.translation.ordinal(ofSlot: slot)).lowerBound + $0
    }
  }
}

extension SegmentNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    slot == state.value.translation.shown ? path.mappingFirst { $0 } : nil
  }
}

extension FlattenNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    guard let child = path.first else { return nil }
    let rest = path.dropFirst()
    return position(of: rest.first, inMember: child).map { [$0] + rest.dropFirst() }
  }
}

extension FilterNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { path.mappingFirst { position(ofSource: $0) } }
}

extension SortNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { path.mappingFirst { position(ofSource: $0) } }
}

extension SliceNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { path.mappingFirst { position(ofSource: $0) } }
}

extension UniqueNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { path.mappingFirst { position(ofSource: $0) } }
}

extension MapNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { path.mappingFirst { $0 } }

  var copiedNode: (any TreeNode)? { source }
}

extension TreePart {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    path.isEmpty ? nil : map(IndexPath(indexes: path), .toView).map { Array($0) }
  }

  var copiedNode: (any TreeNode)? { state.value.source }

  func copiedPath(of path: [Int]) -> [Int]? { map(IndexPath(indexes: path), .toSource).map { Array($0) } }
}

extension OutlineNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { row(ofPath: IndexPath(indexes: path)).map { [$0] } }
}

extension DescendantsNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    path.mappingFirst { state.value.translation.passes[$0] ? state.value.translation.passes.rank($0) : nil }
  }
}

extension GroupNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    guard let row = path.first else { return nil }
    let place = place(ofSource: row)
    return [place.section, place.row] + path.dropFirst()
  }
}

extension GroupSection: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? { path.mappingFirst { position(ofSource: $0) } }

  var maker: (node: any TreeNode, path: [Int])? { place.map { ($0.node, [$0.position]) } }
}

extension NestNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: [Int]) -> [Int]? {
    path.count == 1 ? self.path(ofSource: path[0]).map { Array($0) } : nil
  }

  var maker: (node: any TreeNode, path: [Int])? {
    guard let row else { return nil }
    return (root, family.translation.value.path(of: row))
  }
}

extension [Int] {
  /// The path with another first component; nil where there is none, before or after.
  fileprivate func mappingFirst(_ map: (Int) -> Int?) -> [Int]? {
    guard let first, let position = map(first) else { return nil }
    return [position] + dropFirst()
  }
}
