import Assemblage

/// The meaning of a delta for a number of elements, element by element. It is the oracle of the delta tests.
///
/// It knows nothing of ranges, runs or canonical forms.
struct DeltaModel: Hashable {
  var oldCount: Int
  /// For each position after the change, the position before; nil for an inserted element.
  var origins: [Int?]
  /// For each position after the change, whether its element is updated; always false for an inserted one.
  var isUpdated: [Bool]

  init(oldCount: Int, origins: [Int?], isUpdated: [Bool]) {
    self.oldCount = oldCount
    self.origins = origins
    self.isUpdated = zip(origins, isUpdated).map { $0 != nil && $1 }
  }

  init(identity count: Int) {
    self.init(oldCount: count, origins: Array(0..<count), isUpdated: Array(repeating: false, count: count))
  }

  /// Reads the lists of `delta` literally. Elements that do not move fill the free positions in order.
  init(_ delta: Delta, oldCount: Int) {
    let newCount = oldCount + delta.insertions.joined().count - delta.removals.joined().count
    var leaves = Set(delta.removals.joined())
    var arrivals: [Int: Int?] = [:]
    for position in delta.insertions.joined() { arrivals[position] = .some(nil) }
    for move in delta.moves {
      for (source, destination) in zip(move.source, move.destination) {
        precondition(leaves.insert(source).inserted)
        precondition(arrivals.updateValue(source, forKey: destination) == nil)
      }
    }
    var still = (0..<oldCount).filter { !leaves.contains($0) }[...]
    var origins: [Int?] = []
    for position in 0..<newCount { origins.append(arrivals[position] ?? still.removeFirst()) }
    precondition(still.isEmpty)
    let updates = Set(delta.updates.joined())
    precondition(updates.allSatisfy { $0 < newCount && origins[$0] != nil })
    self.init(oldCount: oldCount, origins: origins, isUpdated: (0..<newCount).map { updates.contains($0) })
  }

  var newCount: Int { origins.count }

  /// The delta of this model, with each survivor given as a move of its own.
  var delta: Delta {
    let survivors = Set(origins.compactMap { $0 })
    return Delta(
      removals: (0..<oldCount).filter { !survivors.contains($0) }.map { $0..<($0 + 1) },
      insertions: origins.indices.filter { origins[$0] == nil }.map { $0..<($0 + 1) },
      updates: isUpdated.indices.filter { isUpdated[$0] }.map { $0..<($0 + 1) },
      moves: origins.enumerated().compactMap { position, origin in
        origin.map { Delta.Move(from: $0..<($0 + 1), to: position..<(position + 1)) }
      })
  }

  func composed(with next: DeltaModel) -> DeltaModel {
    precondition(newCount == next.oldCount)
    return DeltaModel(
      oldCount: oldCount, origins: next.origins.map { $0.flatMap { origins[$0] } },
      isUpdated: next.origins.enumerated().map { position, middle in
        next.isUpdated[position] || middle.map { isUpdated[$0] } == true
      })
  }

  var inverse: DeltaModel {
    var result = DeltaModel(
      oldCount: newCount, origins: Array(repeating: nil, count: oldCount),
      isUpdated: Array(repeating: false, count: oldCount))
    for (position, origin) in origins.enumerated() {
      guard let origin else { continue }
      result.origins[origin] = position
      result.isUpdated[origin] = isUpdated[position]
    }
    return result
  }

  /// Returns the model with `count` more elements before and `tail` more behind, all of them unchanged.
  func embedded(after count: Int, before tail: Int) -> DeltaModel {
    let origins =
      Array(0..<count).map(Optional.some) + self.origins.map { $0.map { $0 + count } }
      + (0..<tail).map { count + oldCount + $0 }
    return DeltaModel(
      oldCount: count + oldCount + tail, origins: origins,
      isUpdated: Array(repeating: false, count: count) + isUpdated + Array(repeating: false, count: tail))
  }

  /// The number of survivors that must move: all but a longest increasing subsequence, found by comparing all pairs.
  var fewestMoved: Int {
    let survivors = origins.compactMap { $0 }
    var longest = [Int](repeating: 1, count: survivors.count)
    for i in survivors.indices {
      for j in 0..<i where survivors[j] < survivors[i] { longest[i] = max(longest[i], longest[j] + 1) }
    }
    return survivors.count - (longest.max() ?? 0)
  }

  /// Returns all models with the given counts: every partial injection, and every set of updates.
  static func all(oldCount: Int, newCount: Int, withUpdates: Bool = true) -> [DeltaModel] {
    var injections: [[Int?]] = [[]]
    for _ in 0..<newCount {
      injections = injections.flatMap { prefix in
        [prefix + [nil]]
          + (0..<oldCount).filter { !prefix.contains($0) }.map { prefix + [$0] }
      }
    }
    return injections.flatMap { origins -> [DeltaModel] in
      let survivors = origins.indices.filter { origins[$0] != nil }
      return (0..<(withUpdates ? 1 << survivors.count : 1)).map { bits in
        var isUpdated = [Bool](repeating: false, count: newCount)
        for (bit, position) in survivors.enumerated() { isUpdated[position] = bits >> bit & 1 == 1 }
        return DeltaModel(oldCount: oldCount, origins: origins, isUpdated: isUpdated)
      }
    }
  }

  /// Returns a random edit of a random kind, of one or a few elements, and counts its kind in `made`.
  static func random(
    oldCount: Int, using generator: inout some RandomNumberGenerator, made: inout [String: Int]
  ) -> DeltaModel {
    var model = DeltaModel(identity: oldCount)
    let kind = ["insert", "remove", "update", "move", "shuffle"].randomElement(using: &generator)!
    let few = Int.random(in: 1...3, using: &generator)
    switch kind {
    case "insert":
      let position = Int.random(in: 0...oldCount, using: &generator)
      model.origins.insert(contentsOf: Array(repeating: nil, count: few), at: position)
      model.isUpdated.insert(contentsOf: Array(repeating: false, count: few), at: position)
    case "remove":
      let count = min(few, oldCount)
      let position = Int.random(in: 0...(oldCount - count), using: &generator)
      model.origins.removeSubrange(position..<(position + count))
      model.isUpdated.removeSubrange(position..<(position + count))
    case "update":
      let count = min(few, oldCount)
      let position = Int.random(in: 0...(oldCount - count), using: &generator)
      for updated in position..<(position + count) { model.isUpdated[updated] = true }
    case "move":
      let count = min(few, oldCount)
      let position = Int.random(in: 0...(oldCount - count), using: &generator)
      let moved = Array(model.origins[position..<(position + count)])
      model.origins.removeSubrange(position..<(position + count))
      model.origins.insert(contentsOf: moved, at: Int.random(in: 0...(oldCount - count), using: &generator))
    default:
      model.origins.shuffle(using: &generator)
      for position in model.origins.indices where Int.random(in: 0..<3, using: &generator) == 0 {
        if Bool.random(using: &generator) {
          model.origins[position] = nil
        } else {
          model.isUpdated[position] = true
        }
      }
    }
    made[kind, default: 0] += 1
    return DeltaModel(oldCount: oldCount, origins: model.origins, isUpdated: model.isUpdated)
  }
}
