@_spi(NodeAuthors) @testable import Assemblage
import TestSupport
import Testing

@Suite struct PagedNodeMisuseTests: MisuseSuite {
  /// An actor whose nodes the misuses use.
  private actor Owner {
    nonisolated static func node(
      _ count: PagedCount, pageSize: Int = 10, keeping: Int = 4, atMost limit: Int = 2
    ) -> PagedNode<Int> {
      let owner = Owner()
      return PagedNode(
        supply: PageSupply(
          table: PageTable(count: count, pageSize: pageSize, limit: keeping), limit: limit, actor: owner,
          rows: { Array($0) }))
    }
  }

  static let misuses = [
    Misuse("PagedNode: the count -1 is negative.") { _ = Owner.node(.exact(-1)) },
    Misuse("PagedNode: the count -2 is negative.") { Owner.node(.exact(1)).setCount(.estimated(-2)) },
    Misuse("PagedNode: the count -3 is negative.") { Owner.node(.exact(1)).reset(count: .exact(-3)) },
    Misuse("PagedNode: the count 4611686018427387904 is beyond 2^62 - 1.") { _ = Owner.node(.exact(1 << 62)) },
    Misuse("PagedNode: a page needs at least one row: 0 were given.") { _ = Owner.node(.exact(1), pageSize: 0) },
    Misuse("PagedNode: at least one page has to be kept: 0 were given.") { _ = Owner.node(.exact(1), keeping: 0) },
    Misuse("A node needs at least one load at once: 0 were allowed.") {
      _ = Owner.node(.exact(1), atMost: 0)
    },
    Misuse("PagedNode: the range 2..<4 is out of range 0..<3.") { Owner.node(.exact(3)).reload(2..<4) },
    Misuse("PagedNode: the range 3..<5 is out of range 0..<3.") { Owner.node(.exact(3)).load(3..<5) },
    Misuse("PagedNode: the range 0..<4 is out of range 0..<3.") {
      Owner.node(.exact(3)).forEachSpan(in: 0..<4) { _, _ in }
    },
    Misuse("PagedNode: the visible range -1..<3 begins below 0.") { Owner.node(.exact(3)).visibleRange = -1..<3 },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
