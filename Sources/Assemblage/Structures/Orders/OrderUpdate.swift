/// How a change is applied to the orders of a `SectionIndex` or a `PermutationIndex`.
enum OrderUpdate {
  /// In the faster of the two ways.
  case automatic
  /// Row by row.
  case stepwise
  /// By a new build of the orders.
  case wholesale
}
