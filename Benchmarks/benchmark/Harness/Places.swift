/// Random places, which are made outside the timer and given out one after another.
///
/// There are so many of them (2^17) that neither the branch predictor nor a cache can learn a round. Each place has
/// four bytes, and they are read in order, so they hardly displace the subject from the caches.
struct Places {
  private let places: [UInt32]
  private var position = 0

  #if DEBUG
    /// A debug build measures nothing, and tests should not wait for places.
    static let count = 1 << 9
  #else
    static let count = 1 << 17
  #endif

  /// Creates random places in `0..<bound`.
  ///
  /// - Precondition: `bound` is in `1...2^32`.
  init(in bound: Int, using generator: inout SplitMix) {
    precondition((1...(1 << 32)).contains(bound), "there are no 32-bit places in 0..<\(bound)")
    places = (0..<Self.count).map { _ in UInt32.random(in: 0...UInt32(bound - 1), using: &generator) }
  }

  /// Returns the next place.
  @inline(__always)
  mutating func next() -> Int {
    position = (position &+ 1) & (Self.count - 1)
    return Int(places[position])
  }

  /// Returns the last place that `next` returned, and goes back by one place.
  @inline(__always)
  mutating func takeBack() -> Int {
    let place = Int(places[position])
    position = (position &- 1) & (Self.count - 1)
    return place
  }
}

extension Context {
  /// Returns random places below `bound`, by default below n.
  mutating func places(in bound: Int? = nil) -> Places { Places(in: bound ?? n, using: &generator) }
}
