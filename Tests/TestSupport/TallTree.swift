/// Trees that are too tall for a call at each level.
public enum TallTree {
  /// The number of levels: far more than fit on the stack of a thread, as calls, and few enough that what takes a time in
  /// proportion to them is done soon. Calls take more room in a debug build, and everything takes longer.
  #if DEBUG
    public static let depth = 20_000
  #else
    public static let depth = 100_000
  #endif
}
