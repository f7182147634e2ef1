import OffsetIndexing
import TestSupport
import Testing

/// An order index, and an array of handles' numbers and a list of free numbers that get the same edits.
struct OrderIndexModel {
  var index: OrderIndex
  var numbers: [Int] = []
  var free: [Int] = []
  var limit = 0

  /// Node capacities, from the smallest to the usual; nil means the usual ones.
  static let shapes: [(leafCapacity: Int, fanOut: Int)?] = [(2, 3), (3, 4), (8, 3), nil]

  init(count: Int, shape: (leafCapacity: Int, fanOut: Int)?) {
    index = shape.map { OrderIndex(leafCapacity: $0.leafCapacity, fanOut: $0.fanOut) } ?? OrderIndex()
    index.insert(count: count, at: 0)
    numbers = Array(0..<count)
    limit = count
  }

  mutating func newNumber() -> Int {
    if let number = free.popLast() { return number }
    limit += 1
    return limit - 1
  }

  /// Returns a fault of the index, or nil. Every answer of the index is compared with the array.
  func complaint() -> String? {
    index.checkInvariants()
    if index.count != numbers.count { return "count \(index.count), not \(numbers.count)" }
    for (position, number) in numbers.enumerated() {
      if index[position].number != number { return "at \(position) is \(index[position]), not \(number)" }
      let found = index.position(of: .init(number: number))
      if found != position { return "\(number) is at \(found), not \(position)" }
    }
    if index.map(\.number) != numbers { return "iteration differs" }
    let live = Set(numbers)
    for number in -1...limit where index.contains(.init(number: number)) != live.contains(number) {
      return "contains(\(number)) is not \(live.contains(number))"
    }
    return nil
  }
}

/// An edit of an order index, with its arguments.
enum OrderEdit: CaseIterable {
  case insert, insertMany, append, remove, removeRange, move

  /// Applies the edit to both.
  ///
  /// Edits of one handle use the start of the range, insertions use its start and its length, and a move uses both
  /// ends.
  ///
  /// - Returns: a difference, or nil. `done` becomes true if the edit was possible there.
  func apply(to model: inout OrderIndexModel, _ range: Range<Int>, done: inout Bool) -> String? {
    let place = range.lowerBound
    switch self {
    case .insert:
      let number = model.newNumber()
      model.numbers.insert(number, at: place)
      if model.index.insert(at: place).number != number { return "the new handle is not \(number)" }
    case .insertMany:
      let new = range.map { _ in model.newNumber() }
      model.numbers.insert(contentsOf: new, at: place)
      if model.index.insert(count: range.count, at: place).map(\.number) != new {
        return "new handles differ"
      }
    case .append:
      let number = model.newNumber()
      model.numbers.append(number)
      if model.index.append().number != number { return "the new handle is not \(number)" }
    case .remove:
      guard place < model.numbers.count else { return nil }
      let number = model.numbers.remove(at: place)
      model.free.append(number)
      if model.index.remove(at: place).number != number { return "the removed handle is not \(number)" }
    case .removeRange:
      model.free.append(contentsOf: model.numbers[range].reversed())
      model.numbers.removeSubrange(range)
      model.index.removeSubrange(range)
    case .move:
      guard range.upperBound < model.numbers.count else { return nil }
      // Half of the moves go forwards, half backwards.
      let (source, target) =
        model.limit % 2 == 0 ? (place, range.upperBound) : (range.upperBound, place)
      model.numbers.insert(model.numbers.remove(at: source), at: target)
      model.index.move(from: source, to: target)
    }
    done = true
    return nil
  }
}

@Suite struct OrderIndexTests {
  @Test(arguments: OrderEdit.allCases)
  func everyPairOfEditsOfEveryShortOrderIsThatOfAnArray(edit: OrderEdit) {
    for shape in [(2, 3), nil] {
      for count in 0...4 {
        let original = OrderIndexModel(count: count, shape: shape)
        for range in BitIndexTests.ranges(count) {
          for second in OrderEdit.allCases {
            var model = original
            var done = false
            var complaint = edit.apply(to: &model, range, done: &done) ?? model.complaint()
            let middle = model
            for place in BitIndexTests.ranges(model.numbers.count) {
              var model = middle
              complaint = complaint ?? second.apply(to: &model, place, done: &done) ?? model.complaint()
              #expect(complaint == nil, "\(count) handles, \(edit) \(range), \(second) \(place)")
            }
            let untouched = original.index.map(\.number) == Array(0..<count)
            #expect(untouched, "the original changed")
          }
        }
      }
    }
  }

  @Test(arguments: 0..<OrderIndexModel.shapes.count)
  func randomScriptsAreThoseOfAnArray(shape: Int) {
    var made: [OrderEdit: Int] = [:]
    let reach = OrderIndexModel.shapes[shape] == nil ? 100 : 12
    for iteration in 0..<TestSeed.iterations(6) {
      var random = TestSeed.generator("OrderIndexTests/scripts/\(shape)", iteration: iteration)
      var model = OrderIndexModel(
        count: .random(in: 0...reach * 3, using: &random), shape: OrderIndexModel.shapes[shape])
      var copies: [(index: OrderIndex, numbers: [Int])] = []
      for _ in 0..<TestSeed.length(60) {
        if Int.random(in: 0..<8, using: &random) == 0 { copies.append((model.index, model.numbers)) }
        if copies.count > 2 { copies.removeFirst() }
        var edit = OrderEdit.allCases.randomElement(using: &random)!
        if model.numbers.count > reach * 8 { edit = .removeRange }
        let place = Int.random(in: 0...model.numbers.count, using: &random)
        let room = edit == .insertMany ? reach * 2 : min(model.numbers.count - place, reach * 2)
        let length = Int.random(in: 0...(Bool.random(using: &random) ? min(room, 3) : room), using: &random)
        var done = false
        let complaint = edit.apply(to: &model, place..<place + length, done: &done) ?? model.complaint()
        if done { made[edit, default: 0] += 1 }
        #expect(complaint == nil, "iteration \(iteration), \(edit) at \(place), \(length)")
        if complaint != nil { return }
        for copy in copies { #expect(copy.index.map(\.number) == copy.numbers, "a copy changed") }
      }
    }
    for edit in OrderEdit.allCases { #expect(TestSeed.isResized || made[edit, default: 0] > 0, "no \(edit) was made") }
  }
}
