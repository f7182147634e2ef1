import AssemblageTesting
import TestSupport
import Testing

@testable import Assemblage

/// Filters one above the other.
@Suite struct FilterChainTests {
  /// Two chains upon a common one, with a map in one of them, against arrays.
  @Test func chainsShowWhatArraysDo() throws {
    struct Refusal: Error {}
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("filter-chains", iteration: iteration)
      let source = ArrayNode((0..<12).map { Row(id: $0) })
      var next = 12
      func chain(on node: any TreeNode<Row>) -> (top: any TreeNode<Row>, filters: [FilterNode<Row>]) {
        var filters: [FilterNode<Row>] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          let rest = Int.random(in: 0..<23, using: &generator)
          filters.append(FilterNode(filters.last ?? node) { ($0.id + $0.version) % 23 != rest })
        }
        return (filters.last!, filters)
      }
      let common = chain(on: source)
      let left = chain(on: common.top)
      let right = chain(on: MapNode(chain(on: common.top).top) { Row(id: $0.id, version: $0.version + 1) })
      let join = JoinNode([left.top, MapNode(right.top) { Row(id: -1 - $0.id, version: $0.version) }])
      let shadow = ShadowTree(of: join, id: \.id)
      func shown(_ filter: FilterNode<Row>) -> [Row] {
        filter.source.elements.filter(filter.state.value.predicate)
      }
      func edit() {
        switch source.isEmpty ? 0 : Int.random(in: 0...2, using: &generator) {
        case 0:
          source.insert(Row(id: next), at: Int.random(in: 0...source.count, using: &generator))
          next += 1
        case 1: source[Int.random(in: 0..<source.count, using: &generator)].version += 1
        default: source.remove(at: Int.random(in: 0..<source.count, using: &generator))
        }
      }
      for _ in 0..<20 {
        switch Int.random(in: 0...4, using: &generator) {
        case 0: source.performUpdates { for _ in 0..<3 { edit() } }
        case 1:
          try? source.performUpdates { () throws(Refusal) in
            edit()
            throw Refusal()
          }
        default: edit()
        }
        for filter in common.filters + left.filters + right.filters { #expect(filter.elements == shown(filter)) }
        try shadow.check()
      }
    }
  }
}
