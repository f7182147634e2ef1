import Assemblage
import OffsetIndexing
import TestSupport
import Testing

@testable import benchmark

/// A competitor that computes wrong results is no competitor. So each one is compared with a plain model.
@Suite struct CompetitorTests {
  private func checkSizes<Index: SizeIndexing>(_: Index.Type) throws {
    var tally = OperationTally(kinds: ["add", "insert", "remove"])
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/sizes/\(Index.name)", iteration: iteration)
      var sizes = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        Int.random(in: 0..<4, using: &generator)
      }
      var index = Index(sizes: sizes)
      for _ in 0..<TestSeed.length(30) {
        let place = Int.random(in: 0..<sizes.count, using: &generator)
        switch tally.random(using: &generator) {
        case "add":
          sizes[place] += 2
          index.add(2, at: place)
          tally.count("add")
        case "insert":
          sizes.insert(3, at: place)
          index.insert(3, at: place)
          tally.count("insert")
        default:
          if sizes.count == 1 { continue }
          sizes.remove(at: place)
          index.removeOne(at: place)
          tally.count("remove")
        }
        #expect(index.count == sizes.count)
        var offset = 0
        for (child, size) in sizes.enumerated() {
          #expect(index.offset(of: child) == offset)
          for local in 0..<size { #expect(index.locate(offset + local) == (child, local)) }
          offset += size
        }
      }
    }
    try tally.check()
  }

  @Test func sizes() throws {
    try checkSizes(OffsetIndex.self)
    try checkSizes(FenwickTree.self)
    try checkSizes(PrefixArray.self)
    try checkSizes(LinearScan.self)
  }

  private func checkBits<Index: BitIndexing>(_: Index.Type) throws {
    var tally = OperationTally(kinds: ["toggle", "insert", "remove"])
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/bits/\(Index.name)", iteration: iteration)
      let count = Int.random(in: 1...150, using: &generator)
      var bits = (0..<count).map { _ in generator.chance(1, in: 3) }
      var words = Array(repeating: UInt64(0), count: (count + 63) / 64)
      for (place, bit) in bits.enumerated() where bit { words[place / 64] |= 1 << (place % 64) }
      var index = Index(words: words, count: count)
      for _ in 0..<TestSeed.length(30) {
        let place = Int.random(in: 0..<bits.count, using: &generator)
        switch tally.random(using: &generator) {
        case "toggle":
          bits[place].toggle()
          index.toggle(at: place)
          tally.count("toggle")
        case "insert":
          let bit = generator.chance(1, in: 2)
          bits.insert(bit, at: place)
          index.insert(bit, at: place)
          tally.count("insert")
        default:
          if bits.count == 1 { continue }
          bits.remove(at: place)
          index.removeOne(at: place)
          tally.count("remove")
        }
        let positions = bits.indices.filter { bits[$0] }
        #expect(index.count == bits.count && index.setCount == positions.count)
        let probe = Int.random(in: 0...bits.count, using: &generator)
        #expect(index.rank(probe) == positions.count { $0 < probe })
        for (rank, position) in positions.enumerated() { #expect(index.select(rank) == position) }
      }
    }
    try tally.check()
  }

  @Test func bits() throws {
    try checkBits(BitIndex.self)
    try checkBits(PositionArray.self)
  }

  private func checkJoin<Join: Joining>(_: Join.Type) {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/join/\(Join.name)", iteration: iteration)
      var members = (0..<6).map { _ in
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: 0..<9, using: &generator) }
      }
      var join = Join(members: members)
      var received: [Int] = []
      join.observer = { received.append($0) }
      for step in 0..<TestSeed.length(20) {
        let member = Int.random(in: 0..<members.count, using: &generator)
        let start = members[..<member].reduce(0) { $0 + $1.count }
        received = []
        if step % 4 == 3, !members[member].isEmpty {
          members[member].removeLast()
          join.remove(member: member, position: members[member].count)
          #expect(received == [start + members[member].count])
        } else {
          let place = Int.random(in: 0...members[member].count, using: &generator)
          members[member].insert(step, at: place)
          join.insert(step, member: member, position: place)
          #expect(received == [start + place])
        }
        if step % 5 == 4 {
          members.insert([7, 8], at: member)
          join.insertMember([7, 8], at: member)
        } else if step % 5 == 1, members.count > 2, member > 0 {
          members.remove(at: member)
          join.removeMember(at: member)
        }
        let all = Array(members.joined())
        #expect(join.sum() == all.reduce(0, +))
        #expect(join.orderedSum() == all.reduce(0) { $0 &* 31 &+ $1 })
        var global = 0
        for (member, elements) in members.enumerated() {
          for (position, element) in elements.enumerated() {
            #expect(join.element(at: global) == element)
            #expect(join.locate(global) == (member, position))
            #expect(join.globalPosition(member: member, position: position) == global)
            global += 1
          }
        }
      }
    }
  }

  @Test func joins() {
    checkJoin(JoinSubject.self)
    checkJoin(LinearJoin.self)
    checkJoin(CachedOffsets.self)
  }

  @Test func filteredPositionsAgreeWithTheNode() {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/filter", iteration: iteration)
      let bound = Predicates.bound
      let lists = (0..<5).map { _ in
        (0..<Int.random(in: 0...30, using: &generator)).map { _ in
          Int.random(in: 0..<bound, using: &generator)
        }
      }
      let members = lists.map { ArrayNode($0) }
      let node = FilterNode(JoinNode(members)) { Predicates.first($0) }
      var filter = FilteredPositions(members: lists) { Predicates.first($0) }

      func compare(_ step: String) {
        #expect(filter.count == node.count, "\(step)")
        for visible in 0..<node.count {
          #expect(filter.sourcePosition(of: visible) == node.sourcePosition(of: visible))
          #expect(filter.element(at: visible) == node.element(at: visible))
        }
        let total = members.reduce(0) { $0 + $1.count }
        for position in 0..<total {
          #expect(filter.position(ofSource: position) == node.position(ofSource: position))
        }
        #expect(filter.sum() == node.elements.reduce(0, +))
        #expect(filter.orderedSum() == node.elements.reduce(0) { $0 &* 31 &+ $1 })
      }

      compare("build")
      for step in 0..<10 {
        let member = step % 5
        let place = Int.random(in: 0...members[member].count, using: &generator)
        let element = Int.random(in: 0..<bound, using: &generator)
        members[member].insert(element, at: place)
        filter.insert(element, member: member, position: place) { Predicates.first($0) }
        compare("insert")
      }
      for member in 0..<5 where members[member].count > 0 {
        members[member].remove(at: 0)
        filter.remove(member: member, position: 0)
        compare("remove")
      }
      node.setPredicate(hint: .stricter) { Predicates.stricter($0) }
      filter.makeStricter { Predicates.stricter($0) }
      compare("stricter")
      node.setPredicate(hint: .looser) { Predicates.looser($0) }
      filter.makeLooser { Predicates.looser($0) }
      compare("looser")
      node.setPredicate { Predicates.second($0) }
      filter.change { Predicates.second($0) }
      compare("change")
    }
  }

  @Test func theHintsOfThePredicatesAreTrueAndAThirdPasses() {
    var generator = SeededGenerator(seed: 1)
    let elements = (0..<30_000).map { _ in Int.random(in: 0..<Predicates.bound, using: &generator) }
    #expect(elements.allSatisfy { !Predicates.stricter($0) || Predicates.first($0) })
    #expect(elements.allSatisfy { !Predicates.first($0) || Predicates.looser($0) })
    #expect((9_500...10_500).contains(elements.count { Predicates.first($0) }))
    #expect((9_500...10_500).contains(elements.count { Predicates.second($0) }))
    let both = elements.count { Predicates.first($0) && Predicates.second($0) }
    #expect((3_000...3_700).contains(both), "independent")
  }

  @Test func indexSetsAgreeWithTheDelta() {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = SplitMix(seed: TestSeed.seed &+ UInt64(iteration))
      let edits = SingleEdit.random(TestSeed.length(30), among: 20, using: &generator)
      let sets = SingleEdit.indexSets(of: edits)
      let delta = SingleEdit.delta(of: edits)
      #expect(Array(sets.removals) == delta.removals.flatMap { Array($0) }, "\(edits)")
      #expect(Array(sets.insertions) == delta.insertions.flatMap { Array($0) }, "\(edits)")
      #expect(Array(sets.updates) == delta.updates.flatMap { Array($0) }, "\(edits)")
      #expect(delta.moves.isEmpty)
    }
  }

  @Test(arguments: RowsEdit.allCases) func bothDifferencesLeadToTheNewRows(edit: RowsEdit) {
    for n in [1, 2, 7, 100, 1_000] {
      var generator = SplitMix(seed: TestSeed.seed &+ UInt64(n))
      let pair = RowsPair(edit, n: n, using: &generator)
      let (old, new) = (pair.old.map(\.id), pair.new.map(\.id))
      #expect(Set(old).count == n && Set(new).count == new.count, "no id stands twice")
      #expect(pair.delta.applying(to: pair.old) { pair.new[$0] } == pair.new)
      #expect(old.applying(RowsPair.difference(from: old, to: new)) == new)
      if n == 1_000 { checkExtent(edit, pair) }
    }
  }

  /// Checks that each edit changes as many rows as its name says.
  private func checkExtent(_ edit: RowsEdit, _ pair: RowsPair) {
    let delta = pair.delta
    let moved = delta.moves.reduce(0) { $0 + $1.source.count }
    switch edit {
    case .append: #expect(delta == .insertion(1_000..<1_011))
    case .shuffle:
      #expect(delta.countChange == 0 && delta.removals.isEmpty && delta.updates.isEmpty)
      #expect((5...11).contains(moved))
    case .random:
      let counts = [delta.removals, delta.insertions, delta.updates].map(\.elementCount) + [moved]
      #expect(counts.allSatisfy { (5...60).contains($0) }, "\(counts)")
    case .reverse: #expect(moved == 999 && delta.countChange == 0)
    case .disjoint: #expect(delta == Delta(removals: [0..<1_000], insertions: [0..<1_000]))
    }
  }
}

extension CompetitorTests {
  @Test func permutations() throws {
    var tally = OperationTally(kinds: ["insert", "remove", "update", "sort"])
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/permutations", iteration: iteration)
      var elements = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        Int.random(in: 0..<9, using: &generator)
      }
      var sort = PermutationArray(elements, by: >)
      var received = 0
      sort.observer = { received = $0 }
      sort.sort(by: <)
      for _ in 0..<TestSeed.length(30) {
        let place = Int.random(in: 0..<elements.count, using: &generator)
        let element = Int.random(in: 0..<9, using: &generator)
        let kind = tally.random(using: &generator)
        switch kind {
        case "insert":
          elements.insert(element, at: place)
          sort.insert(element, at: place)
          #expect(received == sort.position(ofSource: place))
        case "remove" where elements.count > 1:
          elements.remove(at: place)
          sort.remove(at: place)
        case "update":
          elements[place] = element
          sort.update(at: place, to: element)
          #expect(received == sort.position(ofSource: place))
        case "sort":
          sort.sort(by: >)
          #expect((0..<sort.count).map { sort.element(at: $0) } == elements.sorted(by: >))
          sort.sort(by: <)
        default: continue
        }
        tally.count(kind)
        let order = elements.indices.sorted { (elements[$0], $0) < (elements[$1], $1) }
        #expect(sort.order == order && sort.elements == elements)
        #expect(order.indices.allSatisfy { sort.position(ofSource: order[$0]) == $0 })
      }
    }
    try tally.check()
  }

  @Test func groupings() {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/groupings", iteration: iteration)
      func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
      let elements = (0..<number(below: 20)).map { _ in number(below: 100) }
      var grouping = DictionaryGrouping(elements) { $0 % 5 }
      var received = 0
      grouping.observer = { _ in received += 1 }
      let source = ArrayNode(elements)
      let group = GroupNode(source, sectionsBy: { $0 < $1 }) { $0 % 5 }
      for step in 1...TestSeed.length(30) {
        let element = number(below: 100)
        switch source.isEmpty ? 0 : step % 3 {
        case 0:
          let place = number(below: source.count + 1)
          grouping.insert(element, at: place)
          source.insert(element, at: place)
        case 1:
          let place = number(below: source.count)
          grouping.remove(at: place)
          source.remove(at: place)
        default:
          let place = number(below: source.count)
          grouping.update(at: place, to: element)
          source[place] = element
        }
        #expect(received == step && grouping.elements == source.elements)
        #expect(grouping.sections.map(\.key) == (0..<group.count).map { group.key(ofSection: $0) })
        for (ordinal, section) in grouping.sections.enumerated() {
          let rows = section.rows.indices.map { grouping.element(section: ordinal, row: $0) }
          #expect(rows == group.section(at: ordinal).elements)
        }
      }
    }
  }

  private func checkNest<Nest: Nesting>(_: Nest.Type) {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/nests/\(Nest.name)", iteration: iteration)
      // The rows with ids from 6 on are leaves, and only leaves get other parents.
      var rows = (1...Int.random(in: 6...30, using: &generator)).map { id in
        NestRow(id: id, parent: id < 3 ? nil : min(5, (id - 1) / 2))
      }
      rows.shuffle(using: &generator)
      var nest = Nest(rows)
      var received: [Int] = []
      nest.observer = { received.append($0) }
      for step in 0..<TestSeed.length(20) {
        let parent = Int.random(in: 1...5, using: &generator)
        let place = Int.random(in: 0..<rows.count, using: &generator)
        received = []
        if step % 2 == 0 {
          rows.append(NestRow(id: 100 + step, parent: parent))
          nest.append(rows[rows.count - 1])
        } else if rows[place].id > 5, rows[place].parent != parent {
          rows[place].parent = parent
          nest.setParent(parent, at: place)
        } else if rows[rows.count - 1].id > 5 {
          rows.removeLast()
          nest.removeLast()
        } else {
          continue
        }
        #expect(received == [2])
        var counts: [Int?: Int] = [:]
        var total = 0
        for row in rows {
          counts[row.parent, default: 0] += 1
          total += counts[row.parent]! * row.id
        }
        #expect(nest.total == total)
      }
    }
  }

  @Test func nests() {
    checkNest(NestSubject.self)
    checkNest(ParentDictionary.self)
  }

  @Test func shapesOfForestsAgree() {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("competitors/shapes", iteration: iteration)
      var depths: [Int32] = [0]
      for _ in 0..<Int.random(in: 2...40, using: &generator) {
        depths.append(.random(in: 0...depths[depths.count - 1] + 1, using: &generator))
      }
      var index = TreeIndexShape(depths: depths)
      var arrays = NestedArrays(depths: depths)
      var array = DepthArray(depths: depths)
      let branches = zip(depths, depths.dropFirst()).count { $0 < $1 }
      var added: [Int] = []
      for step in 0..<TestSeed.length(30) where branches > 0 {
        let branch = Int.random(in: 0..<branches, using: &generator)
        if step % 3 == 0, let last = added.popLast() {
          index.removeLeaf(ofBranch: last)
          arrays.removeLeaf(ofBranch: last)
          array.removeLeaf(ofBranch: last)
        } else if step % 3 == 1 {
          index.cutAndPaste(branch)
          arrays.cutAndPaste(branch)
          array.cutAndPaste(branch)
        } else {
          index.insertLeaf(intoBranch: branch)
          arrays.insertLeaf(intoBranch: branch)
          array.insertLeaf(intoBranch: branch)
          added.append(branch)
        }
        #expect(Set([index.scan(), arrays.scan(), array.scan()]).count == 1)
        for number in 0..<depths.count + added.count {
          #expect(Set([index.locate(number), arrays.locate(number), array.locate(number)]).count == 1)
          #expect(Set([index.path(to: number), arrays.path(to: number), array.path(to: number)]).count == 1)
        }
        for branch in 0..<branches {
          let numbers = [
            index.number(ofBranch: branch), arrays.number(ofBranch: branch), array.number(ofBranch: branch),
          ]
          #expect(Set(numbers).count == 1)
          #expect(Set([index.position(ofBranch: branch), arrays.position(ofBranch: branch)]).count == 1)
        }
      }
    }
    #expect(TreeIndexShape.wide(1_110).count { $0 == 2 } == 1_000)
  }
}
