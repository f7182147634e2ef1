@testable import Assemblage
import TestSupport
import Testing

/// The translation of a flat list alone, compared with a list of members with rows.
@Suite struct FlattenTranslationTests {
  /// A child of the source: a node with rows, or a leaf that is itself a row.
  private struct Member: Equatable {
    var rows: [Int]
    var isLeaf: Bool

    var child: FlattenTranslation.Child { FlattenTranslation.Child(count: rows.count, isLeaf: isLeaf) }
  }

  /// Every kind of change between members: some leave, some arrive, some move, and rows change inside.
  @Test func scriptsAgreeWithAModel() {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("flatten-translation", iteration: iteration)
      var lastID = 0
      func row() -> Int {
        lastID += 1
        return lastID
      }
      func member() -> Member {
        let isLeaf = generator.chance(1, in: 3)
        return Member(
          rows: (0..<(isLeaf ? 1 : Int.random(in: 0...3, using: &generator))).map { _ in row() }, isLeaf: isLeaf)
      }
      var members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in member() }
      var translation = FlattenTranslation(members.map { $0.child })
      for _ in 0..<TestSeed.length(10) {
        var origins: [Int?] = members.indices.filter { _ in generator.chance(4, in: 5) }
        if generator.chance(1, in: 2) { origins.shuffle(using: &generator) }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
          origins.insert(nil, at: Int.random(in: 0...origins.count, using: &generator))
        }
        let former = members
        var children: [(position: Int, change: ChangeSet)] = []
        members = origins.enumerated().map { position, origin in
          guard let origin else { return member() }
          var present = former[origin]
          if !present.isLeaf, generator.chance(1, in: 3) {
            present.rows.insert(row(), at: 0)
            children.append((position, ChangeSet(.insertion(0..<1))))
          }
          return present
        }
        let outer = DeltaModel(oldCount: former.count, origins: origins, isUpdated: origins.map { _ in false })
        let result = translation.translate(
          ChangeSet(delta: outer.delta, children: children), after: { members[$0].child }, settle: { _, _ in })

        let (old, new) = (former.flatMap { $0.rows }, members.flatMap { $0.rows })
        let rows = DeltaModel(
          oldCount: old.count, origins: new.map { old.firstIndex(of: $0) }, isUpdated: new.map { _ in false })
        #expect(result == ChangeSet(rows.delta), "\(former) → \(members)")
        #expect(translation.count == new.count && translation.childCount == members.count)
        #expect(members.indices.map { translation.range(of: $0).count } == members.map { $0.rows.count })
        #expect(members.indices.map { translation.isLeaf($0) } == members.map { $0.isLeaf })
      }
    }
  }
}
