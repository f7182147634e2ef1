import AssemblageTesting
import TestSupport
import Testing

@testable import Assemblage

/// Filters above each other.
@Suite struct FilterChainTests {
  /// Chains of all depths, some with other views in between. They are read child by child, also by observers and while
  /// they settle.
  @Test(arguments: [1, 7, 32, 33, 64, 65, 70]) func singleChildrenAreRead(depth: Int) {
    for iteration in 0..<TestSeed.iterations(2) {
      var generator = TestSeed.generator("filter-chains/reading", iteration: iteration)
      let source = ArrayNode(Array(0..<Int.random(in: 0...300, using: &generator)))
      // The rows that each view of the chain shows of its source.
      var views: [([Int]) -> [Int]] = []
      var nodes: [any TreeNode<Int>] = [source]
      var asked = 0
      for _ in 0..<depth {
        let node = nodes.last!
        switch iteration == 0 ? 0 : Int.random(in: 0...9, using: &generator) {
        case 8:
          nodes.append(MapNode(node) { $0 + 1 })
          views.append { $0.map { $0 + 1 } }
        case 9:
          nodes.append(SliceNode(node, 1...))
          views.append { Array($0.dropFirst()) }
        default:
          let rest = Int.random(in: 0..<200, using: &generator)
          nodes.append(
            FilterNode(node) { number in
              // While a filter settles, the nodes below can be read already.
              asked += node.element(at: node.count) == nil && node.element(at: -1) == nil ? 1 : 0
              return number % 200 != rest
            })
          views.append { $0.filter { $0 % 200 != rest } }
        }
      }
      // The last two views, and three others.
      func check(_ place: String) {
        let checked = [depth - 2, depth - 1] + (0..<3).map { _ in Int.random(in: 0..<depth, using: &generator) }
        var rows = source.elements
        for (number, (view, node)) in zip(views, nodes.dropFirst()).enumerated() {
          rows = view(rows)
          if !checked.contains(number) { continue }
          #expect((-1...rows.count).map { node.element(at: $0) } == [nil] + rows + [nil], "\(place)")
        }
      }
      check("as it was made")
      let token = nodes.last!.observe { _ in check("heard") }
      for step in 0..<6 {
        let count = source.count
        switch count == 0 ? 0 : Int.random(in: 0...3, using: &generator) {
        case 0:
          let number = Int.random(in: 0...999, using: &generator)
          source.insert(number, at: Int.random(in: 0...count, using: &generator))
        case 1: source[Int.random(in: 0..<count, using: &generator)] = Int.random(in: 0...999, using: &generator)
        case 2: source.remove(at: Int.random(in: 0..<count, using: &generator))
        default:
          source.performUpdates {
            source.append(contentsOf: 1_000..<1_020)
            check("in a transaction")
            source.removeSubrange(0..<count / 2)
          }
        }
        check("script \(iteration), step \(step)")
      }
      token.cancel()
      #expect(asked > 0 || source.isEmpty || iteration > 0)
    }
  }

  /// Two chains on a common chain, with a map in one of them, compared with arrays.
  @Test func chainsShowWhatArraysDo() throws {
    struct Refusal: Error {}
    for iteration in 0..<TestSeed.iterations(20) {
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
        for filter in common.filters + left.filters + right.filters {
          let rows = shown(filter)
          #expect(filter.elements == rows)
          #expect((-1...rows.count).map { filter.element(at: $0) } == [nil] + rows + [nil])
        }
        try shadow.check()
      }
    }
  }
}
