@testable import Assemblage

// Plans with a closure. The closure decides whether the child at one position of the source precedes the child at
// another.
extension SortTranslation {
  func plan(_ delta: Delta, by method: OrderUpdate = .automatic, precedes: @escaping (Int, Int) -> Bool) -> Plan {
    plan(
      delta, by: method, sort: { Self.sorted($0, precedes) }, place: { Self.place($0, precedes, $1) })
  }

  static func sorted(_ positions: [Int], _ precedes: (Int, Int) -> Bool) -> [Int] {
    positions.indices.sorted { precedes(positions[$0], positions[$1]) }
  }

  static func place(_ position: Int, _ precedes: @escaping (Int, Int) -> Bool, _ search: Search) -> Int {
    search { $0 < position ? !precedes(position, $0) : precedes($0, position) }
  }
}
