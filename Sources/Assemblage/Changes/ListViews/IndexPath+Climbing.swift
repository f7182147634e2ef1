import Foundation

extension IndexPath {
  /// The path of a place in a tree, found from the place upwards.
  ///
  /// - Parameters:
  ///   - place: the key of the place.
  ///   - step: the position of a place below its parent, and the parent; nil for the root.
  init<Key>(climbingFrom place: Key, _ step: (Key) -> (position: Int, parent: Key)?) {
    var components: [Int] = []
    var place = place
    while let (position, parent) = step(place) {
      components.append(position)
      place = parent
    }
    self.init(indexes: components.reversed())
  }
}

extension IndexSet {
  /// The positions in `ranges`.
  init(ranges: some Sequence<Range<Int>>) {
    self.init()
    for range in ranges { insert(integersIn: range) }
  }
}
