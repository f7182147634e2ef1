/// Trees that are too tall for a recursive call at each level.
public enum TallTree {
  /// The number of levels.
  ///
  /// As nested calls, so many levels are more than fit on a `SmallStack`. But work in proportion to the levels still
  /// ends soon. A debug build has fewer levels: there, calls need more room and everything is slower.
  #if DEBUG
    public static let depth = 5_000
  #else
    public static let depth = 100_000
  #endif
}
