/// How long what GTK asks of a view took: filling in cells, and asking the coordinator for rows.
public struct ViewTiming {
  /// How many calls of a kind there were, and how long they took.
  public struct Calls {
    /// How many there were.
    public private(set) var count = 0
    /// How long all of them took.
    public private(set) var total = Duration.zero
    /// How long the longest took.
    public private(set) var longest = Duration.zero

    mutating func note(_ duration: Duration) {
      count += 1
      total += duration
      longest = max(longest, duration)
    }
  }

  /// Cells that were filled in, with all that GTK did with them meanwhile.
  public private(set) var binds = Calls()
  /// Questions to the coordinator: what a row shows, and whether it is selected.
  public private(set) var lookups = Calls()

  /// Creates a timing of nothing.
  public init() {}

  mutating func noteBind(_ duration: Duration) { binds.note(duration) }

  mutating func noteLookup<Result>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    let result = body()
    lookups.note(ContinuousClock.now - start)
    return result
  }
}
