import OffsetIndexing
import Testing

@Suite struct BitIndexTests {
  @Test func theExamplesOfTheDocumentationHold() {
    var visible = BitIndex([true, false, true, true])
    #expect(visible.rank(3) == 2)
    #expect(visible.select(2) == 3)
    visible.insert(true, at: 0)
    visible.toggle(1..<4)
    #expect(visible == BitIndex([true, false, true, false, true]))
    #expect(visible.select(1) == 2)
    var order = OrderIndex(count: 3)
    let middle = order[1]
    order.insert(at: 0)
    #expect(order.position(of: middle) == 2)
    order.move(from: 2, to: 0)
    #expect(order.position(of: middle) == 0)
  }
}
