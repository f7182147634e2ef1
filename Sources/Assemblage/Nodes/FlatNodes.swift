// The nodes that show one list, as collections of its elements. Branches, groups and results are none: their children
// are nodes.

extension ArrayNode: FlatNode {}
extension SingleNode: FlatNode {}
extension ProviderNode: FlatNode {}
extension PagedNode: FlatNode {}
extension FieldsNode: FlatNode {}
extension FilterNode: FlatNode {}
extension SortNode: FlatNode {}
extension MapNode: FlatNode {}
extension SliceNode: FlatNode {}
extension UniqueNode: FlatNode {}
extension JoinNode: FlatNode {}
extension FlattenNode: FlatNode {}
extension SegmentNode: FlatNode {}
extension GroupSection: FlatNode {}
extension ResultsSection: FlatNode {}
extension OutlineNode: FlatNode {}
extension DescendantsNode: FlatNode {}
