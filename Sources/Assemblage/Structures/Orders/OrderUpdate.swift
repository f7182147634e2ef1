/// How the orders of a `SectionIndex` or a `PermutationIndex` are brought up to date.
enum OrderUpdate {
  /// As is faster.
  case automatic
  /// One by one.
  case stepwise
  /// By building them anew.
  case wholesale
}
