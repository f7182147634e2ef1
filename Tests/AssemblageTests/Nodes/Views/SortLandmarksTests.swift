@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

/// The elements that a sort keeps, in order to find the place of a single element.
@Suite struct SortLandmarksTests {
  private final class Row {
    let key: Int
    init(_ key: Int) { self.key = key }
  }

  /// Random edits, single ones and several at once. The order is right, and each kept element is the element of its
  /// handle.
  @Test(arguments: [2, 30, 1 << 30]) func whatIsKeptIsThere(keys: Int) {
    for iteration in 0..<TestSeed.iterations(8) {
      var generator = TestSeed.generator("sort-landmarks/\(keys)", iteration: iteration)
      func row() -> Row { Row(Int.random(in: 0..<keys, using: &generator)) }
      // A third of the scripts have so many elements that some are kept from the start. The others keep elements as
      // searches read them.
      let isLarge = iteration % 3 == 2
      let rows = isLarge ? 4_500...5_000 : 0...600
      let source = ArrayNode((0..<Int.random(in: rows, using: &generator)).map { _ in row() })
      let sort = SortNode(source) { $0.key < $1.key }
      var isDescending = false
      var kept = 0
      for step in 0..<TestSeed.length(isLarge ? 30 : 120) {
        let position = Int.random(in: 0...source.count, using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<7: source.insert(row(), at: position)
        case 7..<11 where position < source.count: source.remove(at: position)
        case 11..<17 where position < source.count: source[position] = row()
        case 17:
          let end = Int.random(in: position...min(source.count, position + 5), using: &generator)
          source.replaceSubrange(position..<end, with: (0..<3).map { _ in row() })
        case 18 where position < source.count:
          source.move(from: position, to: Int.random(in: 0..<source.count, using: &generator))
        case 19 where step % 4 == 0:
          isDescending.toggle()
          sort.setComparator(isDescending ? { $0.key > $1.key } : { $0.key < $1.key })
        default: source.performUpdates { for _ in 0..<30 { source.insert(row(), at: position) } }
        }
        // The standard library's sort is stable.
        let expected = source.elements.sorted { isDescending ? $0.key > $1.key : $0.key < $1.key }
        #expect(sort.elements.elementsEqual(expected, by: ===), "\(iteration) \(step)")
        kept += checkLandmarks(of: sort, source)
      }
      #expect(kept > 0)
    }
  }

  /// Fails where a kept element is not the element at its place; returns the number of kept elements.
  private func checkLandmarks(of sort: SortNode<Row>, _ source: any TreeNode<Row>) -> Int {
    let order = sort.state.value.translation.order
    guard let landmarks = sort.state.value.landmarks else { return 0 }
    var count = 0
    for number in stride(from: 0, to: order.handleLimit, by: Landmarks<Row>.spacing) {
      guard let kept = landmarks.element(of: number) else { continue }
      count += 1
      guard order.source.contains(.init(number: number)) else {
        Issue.record("an element is kept of handle \(number), which is free")
        continue
      }
      #expect(kept === source.element(at: order.sourcePosition(ofNumber: number)))
    }
    return count
  }

  /// A new order keeps all possible elements at once. Without an order, or with few elements, none are kept.
  @Test func whatCanBeKeptIsThereAtOnce() {
    let parts = JoinNode((0..<7).map { part in ArrayNode((0..<part * 501).map { Row($0 * 37 % 50) }) })
    let sort = SortNode(parts) { $0.key < $1.key }
    #expect(checkLandmarks(of: sort, parts) == 2_631)
    sort.setComparator { $0.key > $1.key }
    #expect(checkLandmarks(of: sort, parts) == 2_631)
    // There are so many new elements that all are placed anew.
    parts.insertMember(ArrayNode((0..<1_003).map(Row.init)), at: 2)
    #expect(checkLandmarks(of: sort, parts) == 2_881)
    sort.setComparator(nil)
    #expect(sort.state.value.landmarks == nil)
    parts.removeMember(at: 2)
    sort.setComparator { $0.key < $1.key }
    #expect(checkLandmarks(of: sort, parts) == 2_631)
    let few = SortNode(parts.member(at: 1)) { $0.key < $1.key }
    withExtendedLifetime(few) { #expect(few.state.value.landmarks == nil) }
  }

  /// An element that is removed or replaced is released, also where it was kept.
  @Test func nothingIsKeptAlive() {
    let source = ArrayNode((0..<100).map { Row($0 * 37 % 100) })
    let sort = SortNode(source) { $0.key < $1.key }
    for key in 0..<400 { source[key % 100] = Row(key * 7 % 100) }
    weak var former: Row?
    for position in 0..<100 {
      former = source[position]
      source[position] = Row(position)
      #expect(former == nil)
    }
    while source.count > 10 {
      former = source[source.count / 2]
      source.remove(at: source.count / 2)
      #expect(former == nil)
    }
    #expect(sort.count == 10)
  }

  /// The spacing follows the size, so that two bytes for each handle suffice.
  @Test func theSpacingFollowsTheSize() {
    #expect(Landmarks<Row>.spacing == 4 && Landmarks<String>.spacing == 8 && Landmarks<Int>.spacing == 8)
    #expect(Landmarks<Bool>.spacing == 1 && Landmarks<(String, String)>.spacing == 16)
  }

  /// A search makes few more comparisons than the logarithm, whatever elements are kept.
  @Test func searchesAskLogarithmically() {
    var generator = TestSeed.generator("sort-landmarks/asked")
    let source = ArrayNode((0..<10_000).map { _ in Row(Int.random(in: 0..<1 << 30, using: &generator)) })
    var asked = 0
    let sort = SortNode(source) {
      asked += 1
      return $0.key < $1.key
    }
    for _ in 0..<2_000 {
      asked = 0
      source.insert(Row(Int.random(in: 0..<1 << 30, using: &generator)), at: source.count / 2)
      #expect(asked <= 28)
      asked = 0
      source.remove(at: source.count / 3)
      #expect(asked == 0)
      let position = Int.random(in: 0..<source.count, using: &generator)
      source[position] = Row(source[position].key)
      #expect(asked <= 2)
    }
    #expect(sort.count == 10_000)
  }
}
