@testable import Assemblage
import TestSupport
import Testing

/// Arrays that a delta rearranges, compared with the origins of the elements.
@Suite struct DeltaRearrangingTests {
  /// Rearranges 0..<oldCount, with nil for inserted elements, and checks the order of the calls.
  private func rearranged(_ delta: Delta, oldCount: Int) -> (elements: [Int?], isOrdered: Bool) {
    var array: [Int?] = (0..<oldCount).map { $0 }
    var (lifted, put): ([Int], [Int]) = ([], [])
    var insertions = delta.insertions.makeIterator()
    var isOrdered = true
    delta.rearrange(
      carrying: { Array(array[$0]) },
      lifting: { range in
        lifted.append(range.lowerBound)
        array.removeSubrange(range)
      },
      putting: { range, carried in
        put.append(range.lowerBound)
        if carried == nil, insertions.next() != range { isOrdered = false }
        array.insert(contentsOf: carried ?? Array(repeating: nil, count: range.count), at: range.lowerBound)
      })
    return (array, isOrdered && lifted == lifted.sorted(by: >) && put == put.sorted() && insertions.next() == nil)
  }

  @Test func everyDeltaOfUpToFour() {
    for old in 0...4 {
      for new in 0...4 {
        for model in DeltaModel.all(oldCount: old, newCount: new) {
          let (elements, isOrdered) = rearranged(model.delta, oldCount: old)
          #expect(elements == model.origins && isOrdered, "\(model.delta)")
        }
      }
    }
  }
}
