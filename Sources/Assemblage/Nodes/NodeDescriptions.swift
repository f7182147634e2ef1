// What some kinds of nodes say of themselves beside their children.

extension GroupSection: DescribedNode {
  var label: String? { key.map { String(reflecting: $0) } ?? "no key" }
}

extension ResultsSection: DescribedNode {
  var label: String? { String(reflecting: name) }
}

extension SegmentNode: DescribedNode {
  var label: String? { selection.map { "member \($0) of \(memberCount)" } ?? "none of \(memberCount) members" }
}

extension HierarchyNode: DescribedNode {}

extension PagedNode: DescribedNode {}

extension MapNode: DescribedNode {
  var isLoaded: Bool { source.isReadable }

  var mappedNode: (any TreeNode)? { source }
}

extension TreeSortNode: DescribedNode {
  var isLoaded: Bool { state.value.record.map { family.translation.value.isLoaded($0) } ?? true }
}

extension TreeFilterNode: DescribedNode {
  var isLoaded: Bool { state.value.record.map { family.translation.value.isLoaded($0) } ?? true }
}
