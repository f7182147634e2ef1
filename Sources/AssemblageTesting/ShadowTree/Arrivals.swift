import Assemblage

/// The destinations of a change's transfers, as a tree by the components of their paths.
struct Arrivals {
  private struct Place {
    var next: [Int: Int] = [:]
    var transfer: ChangeSet.Transfer?
  }

  private var places: [Place]

  init(_ transfers: [ChangeSet.Transfer]) {
    places = transfers.isEmpty ? [] : [Place()]
    for transfer in transfers {
      var place = 0
      for position in transfer.destination {
        if let next = places[place].next[position] {
          place = next
        } else {
          places.append(Place())
          places[place].next[position] = places.count - 1
          place = places.count - 1
        }
      }
      places[place].transfer = transfer
    }
  }

  /// The place of the root, or nil where nothing arrives.
  var root: Int? { places.isEmpty ? nil : 0 }

  /// The place of a child, or nil where nothing arrives there or below.
  func place(_ position: Int, below parent: Int?) -> Int? { parent.flatMap { places[$0].next[position] } }

  /// The transfer that arrives at a place itself.
  func transfer(at place: Int) -> ChangeSet.Transfer? { places[place].transfer }
}
