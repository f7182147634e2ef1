@testable import Assemblage
@testable import AssemblageSearch
import TestSupport
import Testing

@Suite struct TextColumnTests {
  private func chunks(_ texts: [String?], target: Int) -> [TextChunk] {
    var builder = TextColumn.Builder(.standard, target: target)
    for text in texts { builder.append(text) }
    return builder.finish()
  }

  private func contents(_ column: TextColumn) -> [String?] {
    column.chunks.flatMap { chunk in
      (0..<chunk.count).map { index in
        let bytes = chunk.bytes[chunk.place(of: index)]
        return bytes.first == TextChunk.valueless ? nil : String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  @Test func randomEditsAreThoseOfAnArray() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("text column", iteration: iteration)
      let target = [1, 8, 40, 1 << 15].randomElement(using: &generator)!
      var column = TextColumn(target: target)
      var model: [String?] = []
      for _ in 0..<TestSeed.length(40) {
        let range = generator.range(in: model.count)
        let most = generator.chance(1, in: 5) ? 30 : 3
        let texts: [String?] = (0..<Int.random(in: 0...most, using: &generator)).map { _ in
          if generator.chance(1, in: 8) { return nil }
          let length = generator.chance(1, in: 10) ? 100 : Int.random(in: 0...5, using: &generator)
          return String((0..<length).map { _ in "ab".randomElement(using: &generator)! })
        }
        let short = generator.chance(1, in: 2) ? range : range.lowerBound..<min(range.upperBound, range.lowerBound + 1)
        column.replaceSubrange(short, with: chunks(texts, target: target))
        model.replaceSubrange(short, with: texts)
        column.checkInvariants()
        #expect(contents(column) == model && column.count == model.count)
        let copied = generator.range(in: model.count)
        var other = TextColumn(target: target)
        other.replaceSubrange(0..<0, with: column.slice(copied))
        other.checkInvariants()
        #expect(contents(other) == Array(model[copied]))
        check(column, model, using: &generator)
      }
    }
  }

  private func check(_ column: TextColumn, _ model: [String?], using generator: inout SeededGenerator) {
    for kind in TextQuery.Kind.allCases {
      let text = String(
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in "ab ".randomElement(using: &generator)! })
      let query = TextQuery(kind, text)
      let expected = model.map { $0.map(query.matches) ?? false }
      let found = column.search(query.pattern)
      #expect((0..<model.count).map { found[$0] } == expected, "\(query)")
      #expect(found.setCount == expected.count { $0 })
      var ranges: [Range<Int>] = []
      found.forEachSetRange { ranges.append($0) }
      #expect(ranges.flatMap { Array($0) } == expected.indices.filter { expected[$0] })
      var mask = BitRun(repeating: false, count: model.count)
      let share = [1, 3, 20].randomElement(using: &generator)!
      for index in model.indices where generator.chance(1, in: share) { mask.set(index, to: true) }
      let masked = column.search(query.pattern, among: mask)
      #expect((0..<model.count).map { masked[$0] } == model.indices.map { expected[$0] && mask[$0] }, "\(query)")
    }
    let valueless = column.valueless()
    #expect((0..<model.count).map { valueless[$0] } == model.map { $0 == nil })
  }

  /// The addresses of the bytes of each chunk.
  private func addresses(_ column: TextColumn) -> [Int] {
    column.chunks.map { chunk in unsafe chunk.bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
  }

  @Test func anEditMovesNoMoreThanAFewChunks() {
    var column = TextColumn(target: 64)
    column.replaceSubrange(0..<0, with: chunks((0..<10_000).map { "\($0)" }, target: 64))
    let former = addresses(column)
    column.replaceSubrange(5_000..<5_001, with: chunks(["new"], target: 64))
    column.replaceSubrange(2_000..<2_000, with: chunks(["more", "still"], target: 64))
    column.replaceSubrange(7_000..<7_100, with: [])
    let present = Set(addresses(column))
    let moved = former.filter { !present.contains($0) }.count
    #expect(moved <= 16, "\(moved) of \(former.count) chunks")
    column.checkInvariants()
  }

  @Test func runsAreReportedAcrossWords() {
    for (first, last) in [(0, 1), (0, 64), (63, 65), (10, 200), (64, 128), (0, 200), (199, 200)] {
      var run = BitRun(repeating: false, count: 200)
      for index in first..<last { run.set(index, to: true) }
      var ranges: [Range<Int>] = []
      run.forEachSetRange { ranges.append($0) }
      #expect(ranges == [first..<last])
    }
  }
}
