import OffsetIndexing
import TestSupport
import Testing

@Suite struct BitIndexTests {
  /// Every bit vector of up to `length` bits.
  static func vectors(upTo length: Int) -> [[Bool]] {
    (0...length).flatMap { count in
      (0..<1 << count).map { number in (0..<count).map { number >> $0 & 1 != 0 } }
    }
  }

  @Test func everyShortVectorAnswersEveryQuestion() {
    for shape in BitIndexModel.shapes {
      for bits in Self.vectors(upTo: shape == nil || shape!.leafCapacity == 2 ? 8 : 6) {
        let model = BitIndexModel(bits, shape: shape)
        let complaint = model.complaint()
        #expect(complaint == nil, "\(bits), nodes \(String(describing: shape))")
        if bits.count <= 4 {
          for range in Self.ranges(bits.count) {
            let complaint = model.scanComplaint(range)
            #expect(complaint == nil, "\(bits), nodes \(String(describing: shape))")
          }
        }
      }
    }
  }

  static func ranges(_ count: Int) -> [Range<Int>] {
    (0...count).flatMap { start in (start...count).map { start..<$0 } }
  }

  @Test(arguments: BitEdit.allCases)
  func everyEditOfEveryShortVectorIsThatOfAnArray(edit: BitEdit) {
    for shape in [(2, 3), nil] {
      for bits in Self.vectors(upTo: 4) {
        let original = BitIndexModel(bits, shape: shape)
        for range in Self.ranges(bits.count) {
          for bit in [false, true] {
            var model = original
            guard edit.apply(to: &model, range, bit, pattern: 0b0110_1001) else { continue }
            let complaint =
              model.complaint() ?? (original.index.elementsEqual(bits) ? nil : "the original changed")
            #expect(complaint == nil, "\(bits), \(edit) \(range) \(bit), nodes \(String(describing: shape))")
          }
        }
      }
    }
  }

  @Test(arguments: 0..<BitIndexModel.shapes.count)
  func randomScriptsAreThoseOfAnArray(shape: Int) {
    var made: [BitEdit: Int] = [:]
    for iteration in 0..<TestSeed.iterations(3) {
      var random = TestSeed.generator("BitIndexTests/scripts/\(shape)", iteration: iteration)
      let isSmall = BitIndexModel.shapes[shape].map { $0.leafCapacity < 64 } ?? false
      let reach = isSmall ? 12 : 700
      var model = BitIndexModel(
        (0..<Int.random(in: 0...reach * 4, using: &random)).map { _ in .random(using: &random) },
        shape: BitIndexModel.shapes[shape])
      var copies: [(index: BitIndex, bits: [Bool])] = []
      for _ in 0..<TestSeed.length(60) {
        if Int.random(in: 0..<8, using: &random) == 0 { copies.append((model.index, model.bits)) }
        if copies.count > 2 { copies.removeFirst() }
        var edit = BitEdit.allCases.randomElement(using: &random)!
        // The vector must not stay empty, and must not become too long to be compared.
        if model.bits.count > reach * 8 { edit = .removeRange }
        let place = Int.random(in: 0...model.bits.count, using: &random)
        let room =
          edit == .insertRepeating || edit == .insertWords
          ? reach * 2 : min(model.bits.count - place, edit == .removeRange ? reach * 3 : reach)
        let isShort = Bool.random(using: &random)
        let length = Int.random(in: 0...(isShort ? min(room, 3) : room), using: &random)
        // The edit is within the existing bits. An insertion uses only the length of the range.
        guard
          edit.apply(
            to: &model, place..<place + length, .random(using: &random), pattern: random.next())
        else { continue }
        made[edit, default: 0] += 1
        let complaint = model.complaint()
        #expect(complaint == nil, "iteration \(iteration), \(edit) at \(place), \(length)")
        if complaint != nil { return }
        for copy in copies { #expect(copy.index.elementsEqual(copy.bits), "a copy changed") }
      }
    }
    for edit in BitEdit.allCases { #expect(TestSeed.isResized || made[edit, default: 0] > 0, "no \(edit) was made") }
  }
}
