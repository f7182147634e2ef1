@testable import Assemblage
import Testing

@Suite struct FirstAndRestTests {
  private static func list(_ elements: [Int]) -> FirstAndRest<Int> {
    var list = FirstAndRest<Int>()
    for element in elements { list.append(element) }
    return list
  }

  @Test func itHoldsWhatAnArrayDoes() {
    for count in 0..<4 {
      let array = Array(0..<count)
      let list = Self.list(array)
      #expect(Array(list) == array && list.count == count && list.isEmpty == array.isEmpty)
      #expect(list.only == (count == 1 ? 0 : nil))
      for position in 0..<count {
        var (list, array) = (list, array)
        let moved = list.removeBySwap(at: position)
        array.swapAt(position, count - 1)
        array.removeLast()
        #expect(Array(list) == array && moved == (position < count - 1 ? count - 1 : nil))
        list.append(9)
        #expect(Array(list) == array + [9])
      }
    }
  }

  @Test func theOnlyElementIsTakenOut() {
    var one = Self.list([7])
    let only = one.removeOnly()
    let next = one.removeOnly()
    #expect(only == 7 && next == nil && one.isEmpty)
    var two = Self.list([7, 8])
    let none = two.removeOnly()
    #expect(none == nil && Array(two) == [7, 8])
  }
}
