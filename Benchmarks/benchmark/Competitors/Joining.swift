@_spi(NodeAuthors) import Assemblage

/// The job of the suite `join`: several members' elements as one index space.
protocol Joining: Measured, Notifying {
  init(members: [[Int]])
  /// The element at a global position.
  func element(at position: Int) -> Int
  func globalPosition(member: Int, position: Int) -> Int
  func locate(_ position: Int) -> (member: Int, position: Int)
  /// Inserts an element in a member, and notifies the observer of its global position.
  mutating func insert(_ element: Int, member: Int, position: Int)
  mutating func remove(member: Int, position: Int)
  mutating func insertMember(_ member: [Int], at ordinal: Int)
  mutating func removeMember(at ordinal: Int)
  func sum() -> Int
  func orderedSum() -> Int
  /// Prepares the insertion of members.
  static func memberInsert(_ context: inout Context) -> Trial
}

/// Adds up elements. The optimiser uses vectors.
///
/// The scans of integers call this one function. The place of such a loop in the binary can double its time, so the
/// times of two copies, one for nodes and one for arrays, could not be compared.
@inline(never)
func sum(of span: Span<Int>) -> Int {
  var sum = 0
  for index in span.indices { sum &+= span[index] }
  return sum
}

/// A checksum that depends on the order. So each step has to wait for the step before.
@inline(never)
func orderedSum(of span: Span<Int>, after start: Int) -> Int {
  var sum = start
  for index in span.indices { sum = sum &* 31 &+ span[index] }
  return sum
}

/// The members in an array. Every conversion walks through them.
struct LinearJoin: Joining {
  static let name = "LinearJoin"
  private(set) var members: [[Int]]
  var observer: (Int) -> Void = { _ in }

  init(members: [[Int]]) { self.members = members }

  func locate(_ position: Int) -> (member: Int, position: Int) {
    var (member, rest) = (0, position)
    while rest >= members[member].count {
      rest -= members[member].count
      member += 1
    }
    return (member, rest)
  }

  func globalPosition(member: Int, position: Int) -> Int {
    var start = 0
    for earlier in 0..<member { start += members[earlier].count }
    return start + position
  }

  func element(at position: Int) -> Int {
    let place = locate(position)
    return members[place.member][place.position]
  }

  mutating func insert(_ element: Int, member: Int, position: Int) {
    members[member].insert(element, at: position)
    observer(globalPosition(member: member, position: position))
  }

  mutating func remove(member: Int, position: Int) {
    members[member].remove(at: position)
    observer(globalPosition(member: member, position: position))
  }

  mutating func insertMember(_ member: [Int], at ordinal: Int) { members.insert(member, at: ordinal) }

  mutating func removeMember(at ordinal: Int) { members.remove(at: ordinal) }

  func sum() -> Int { members.reduce(0) { $0 &+ benchmark.sum(of: $1.span) } }

  func orderedSum() -> Int { members.reduce(0) { benchmark.orderedSum(of: $1.span, after: $0) } }
}

/// The members' offsets in an array that is made again after each change, as Composed's mapping does.
struct CachedOffsets: Joining {
  static let name = "CachedOffsets"
  private(set) var members: [[Int]]
  /// `offsets[i]` is the number of elements before member i. The last offset is the total.
  private(set) var offsets: [Int] = []
  var observer: (Int) -> Void = { _ in }

  init(members: [[Int]]) {
    self.members = members
    rebuild()
  }

  private mutating func rebuild() {
    offsets.removeAll(keepingCapacity: true)
    var sum = 0
    offsets.append(0)
    for member in members {
      sum += member.count
      offsets.append(sum)
    }
  }

  func locate(_ position: Int) -> (member: Int, position: Int) {
    // The last member that begins at or before `position`. If several begin there, only the last of them is not empty.
    var (low, high) = (0, members.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= position { low = middle } else { high = middle }
    }
    return (low, position - offsets[low])
  }

  func globalPosition(member: Int, position: Int) -> Int { offsets[member] + position }

  func element(at position: Int) -> Int {
    let place = locate(position)
    return members[place.member][place.position]
  }

  mutating func insert(_ element: Int, member: Int, position: Int) {
    members[member].insert(element, at: position)
    rebuild()
    observer(globalPosition(member: member, position: position))
  }

  mutating func remove(member: Int, position: Int) {
    members[member].remove(at: position)
    rebuild()
    observer(globalPosition(member: member, position: position))
  }

  mutating func insertMember(_ member: [Int], at ordinal: Int) {
    members.insert(member, at: ordinal)
    rebuild()
  }

  mutating func removeMember(at ordinal: Int) {
    members.remove(at: ordinal)
    rebuild()
  }

  func sum() -> Int { members.reduce(0) { $0 &+ benchmark.sum(of: $1.span) } }

  func orderedSum() -> Int { members.reduce(0) { benchmark.orderedSum(of: $1.span, after: $0) } }
}

/// The library's join over array nodes, behind the same interface.
struct JoinSubject: Joining {
  static let name = "JoinNode"
  static var origin: Subject.Origin { .library }
  private(set) var members: [ArrayNode<Int>]
  let join: JoinNode<Int>
  private var observation: NodeObservation?
  var observer: (Int) -> Void = { _ in } {
    didSet {
      let observer = observer
      observation = join.observe { change in
        if let range = change.delta.insertions.first ?? change.delta.removals.first {
          observer(range.lowerBound)
        }
      }
    }
  }

  init(members: [[Int]]) {
    self.members = members.map { ArrayNode($0) }
    join = JoinNode(self.members)
  }

  func element(at position: Int) -> Int { join.element(at: position) ?? 0 }

  func globalPosition(member: Int, position: Int) -> Int {
    join.position(of: position, inMember: member)
  }

  func locate(_ position: Int) -> (member: Int, position: Int) { join.locate(position) }

  mutating func insert(_ element: Int, member: Int, position: Int) {
    members[member].insert(element, at: position)
  }

  mutating func remove(member: Int, position: Int) { members[member].remove(at: position) }

  mutating func insertMember(_ member: [Int], at ordinal: Int) {
    members.insert(ArrayNode(member), at: ordinal)
    join.insertMember(members[ordinal], at: ordinal)
  }

  mutating func removeMember(at ordinal: Int) {
    members.remove(at: ordinal)
    join.removeMember(at: ordinal)
  }

  func sum() -> Int { benchmark.sum(of: join) }

  func orderedSum() -> Int { benchmark.orderedSum(of: join) }
}

/// Adds up a join's elements, a piece of memory at a time.
@inline(__always)
func sum(of join: JoinNode<Int>) -> Int {
  var sum = 0
  join.forEachSpan(in: 0..<join.count) { _, span in sum &+= benchmark.sum(of: span) }
  return sum
}

@inline(__always)
func orderedSum(of join: JoinNode<Int>) -> Int {
  var sum = 0
  join.forEachSpan(in: 0..<join.count) { _, span in sum = benchmark.orderedSum(of: span, after: sum) }
  return sum
}
