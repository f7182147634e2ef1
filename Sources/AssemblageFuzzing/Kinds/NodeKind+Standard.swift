import Assemblage

extension NodeKind {
  /// Every kind of node in the library.
  ///
  /// - Complexity: O(1).
  package static var standard: [NodeKind] {
    [
      NodeKind(ArrayModel.self), NodeKind(SingleModel.self), NodeKind(ProviderModel.self),
      NodeKind(BranchModel.self), NodeKind(JoinModel.self), NodeKind(FilterModel.self),
      NodeKind(SortModel.self), NodeKind(MapModel.self), NodeKind(ErasingModel.self), NodeKind(SliceModel.self),
      NodeKind(SegmentModel.self), NodeKind(HierarchyModel.self), NodeKind(OutlineModel.self),
      NodeKind(TreeFilterModel.self), NodeKind(GroupModel.self), NodeKind(FlattenModel.self),
      NodeKind(DescendantsModel.self), NodeKind(SectionsModel.self), NodeKind(UniqueModel.self),
      NodeKind(PropertyModel.self), NodeKind(FieldsModel.self), NodeKind(ResultsModel.self), NodeKind(ForestModel.self),
      NodeKind(TreeSortModel.self), NodeKind(NestModel.self), NodeKind(SectionModel.self),
      NodeKind(FoldersModel.self), NodeKind(ChildModel<FoldersModel>.self), NodeKind(ChildModel<ForestModel>.self),
      NodeKind(ChildModel<TreeFilterModel>.self), NodeKind(ChildModel<TreeSortModel>.self),
      NodeKind(ChildModel<MapModel>.self), NodeKind(ChildModel<NestModel>.self),
    ]
  }
}

extension Range<Int> {
  /// The range as Swift code.
  var code: String { "\(lowerBound)..<\(upperBound)" }
}

extension Array {
  /// Moves an element so that it is at `destination` afterwards.
  mutating func moveElement(from position: Int, to destination: Int) {
    insert(remove(at: position), at: destination)
  }
}
