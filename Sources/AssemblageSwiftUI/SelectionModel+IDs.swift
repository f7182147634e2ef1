public import Assemblage

extension SelectionModel {
  /// The ids of all selected rows, in the form that `List(selection:)` needs.
  ///
  /// A selection is `Observable`, so SwiftUI makes a binding of this property:
  ///
  /// ```swift
  /// List(Rows(found), selection: Bindable(selection).ids) { person in Text(person.name) }
  /// ```
  ///
  /// The set contains the ids of absent rows, which a search hides for example. SwiftUI returns these ids when the user
  /// adds a row, and omits them when the user selects one row only. Setting the property is `select(ids:)`.
  ///
  /// - Complexity: O(k) for k ids; setting takes O(n · log n) for n rows.
  public var ids: Set<ID> {
    get { Set(selectedIDs).union(absentIDs) }
    set { if newValue != ids { select(ids: newValue) } }
  }

  /// The id of the first row that is selected, for lists in which one row can be; nil where none is.
  ///
  /// Setting it deselects all other rows.
  ///
  /// - Complexity: that of `ids`.
  public var singleID: ID? {
    get { selectedIDs.first ?? absentIDs.first }
    set { ids = newValue.map { [$0] } ?? [] }
  }
}
