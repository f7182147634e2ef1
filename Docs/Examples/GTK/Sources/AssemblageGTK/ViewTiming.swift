/// The time that a view needs for the requests of GTK: filling in cells, and asking the coordinator for rows.
public struct ViewTiming {
  /// The number and the durations of calls of one kind.
  public struct Calls {
    /// The number of calls.
    public private(set) var count = 0
    /// The duration of all calls together.
    public private(set) var total = Duration.zero
    /// The duration of the longest call.
    public private(set) var longest = Duration.zero

    mutating func note(_ duration: Duration) {
      count += 1
      total += duration
      longest = max(longest, duration)
    }
  }

  /// The calls that fill in cells, including the work of GTK during each call.
  public private(set) var binds = Calls()
  /// The questions to the coordinator: the element of a row, and whether a row is selected.
  public private(set) var lookups = Calls()

  /// Creates a timing without any calls.
  public init() {}

  mutating func noteBind(_ duration: Duration) { binds.note(duration) }

  mutating func noteLookup<Result>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    let result = body()
    lookups.note(ContinuousClock.now - start)
    return result
  }
}
