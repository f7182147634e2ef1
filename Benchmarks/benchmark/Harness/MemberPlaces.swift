/// The members of a join, and random places in them, made outside the timer.
struct MemberPlaces {
  /// The elements of each member; some members may be empty.
  let members: [[Int]]
  private var places: [(member: UInt32, position: UInt32, element: UInt32)] = []
  private var index = 0

  static let memberCount = 1_000

  /// Creates members of random lengths. Together they have n random elements in `0..<bound`.
  init(_ context: inout Context, bound: Int = Predicates.bound) {
    let n = context.n
    func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &context.generator) }
    let cuts = (1..<Self.memberCount).map { _ in random(0..<n + 1) }.sorted()
    let offsets = [0] + cuts + [n]
    var members: [[Int]] = []
    for (start, end) in zip(offsets, offsets.dropFirst()) {
      members.append((start..<end).map { _ in random(0..<bound) })
    }
    self.members = members

    for _ in 0..<Places.count {
      let global = random(0..<n)
      // The last member that begins at or before the place. If several begin there, only the last of them is not empty.
      var (low, high) = (0, members.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offsets[middle] <= global { low = middle } else { high = middle }
      }
      let element = random(0..<bound)
      places.append((UInt32(low), UInt32(global - offsets[low]), UInt32(element)))
    }
  }

  /// Returns the next place and a new element. The member of the place has an element at the place.
  @inline(__always)
  mutating func next() -> (member: Int, position: Int, element: Int) {
    index = (index &+ 1) & (Places.count - 1)
    let place = places[index]
    return (Int(place.member), Int(place.position), Int(place.element))
  }

  /// Returns the last place that `next` returned, and goes back by one place.
  @inline(__always)
  mutating func takeBack() -> (member: Int, position: Int) {
    let place = places[index]
    index = (index &- 1) & (Places.count - 1)
    return (Int(place.member), Int(place.position))
  }
}
