import Assemblage
import AssemblageSwiftUI
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@MainActor @Suite struct OutlineRowsTests {
  private static func lines(_ rows: OutlineRows<String, String>) -> [String] {
    rows.map { row in
      String(repeating: "  ", count: row.depth) + (row.hasChildren ? row.isExpanded ? "- " : "+ " : "") + row.value
    }
  }

  private static func reader<Element, ID>(of outline: OutlineNode<Element, ID>) -> Reader {
    Reader { _ = OutlineRows(outline) }
  }

  private let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
  private let empty = BranchNode<String>(value: "empty", leaves: [])

  private func outline() -> OutlineNode<String, String> {
    OutlineNode(BranchNode([.leaf("x.txt"), .node(notes), .node(empty)]), id: { $0 })
  }

  @Test func rowsExpandAndCollapse() {
    let outline = outline()
    let rows = OutlineRows(outline)
    #expect(Self.lines(rows) == ["x.txt", "+ notes", "empty"])
    let reader = Self.reader(of: outline)
    rows[1].isExpanded = true
    #expect(reader.notificationCount == 1)
    #expect(Self.lines(OutlineRows(outline)) == ["x.txt", "- notes", "  a.md", "  b.md", "empty"])
    #expect(Self.lines(rows) == ["x.txt", "+ notes", "empty"] && rows != OutlineRows(outline))
    OutlineRows(outline)[1].isExpanded.toggle()
    #expect(OutlineRows(outline).count == 3 && outline.expansion.choice(for: "notes") == false)
    let other = Self.reader(of: outline)
    OutlineRows(outline)[0].isExpanded = true
    rows[1].isExpanded = false
    #expect(!other.isNotified)
  }

  /// The row that the user has seen is expanded, wherever it is now.
  @Test func formerRowsExpandWhatTheyShow() {
    let outline = outline()
    let rows = OutlineRows(outline)
    outline.root.insert("first", at: [0])
    outline.root.move(from: [2], to: [3])
    rows[1].isExpanded = true
    #expect(Self.lines(OutlineRows(outline)) == ["first", "x.txt", "empty", "- notes", "  a.md", "  b.md"])
    outline.root.remove(at: [3])
    let last = OutlineRows(outline)
    rows[1].isExpanded = false
    #expect(last == OutlineRows(outline))
  }

  @Test func rowsOfATransactionExpandWhatTheyShow() {
    let outline = outline()
    let rows = OutlineRows(outline)
    outline.performUpdates {
      outline.root.remove(at: [0])
      rows[1].isExpanded = true
      rows.remove(atOffsets: [0, 2])
    }
    #expect(Self.lines(OutlineRows(outline)) == ["- notes", "  a.md", "  b.md"])
  }

  /// A collapsed folder gets its first file: no row comes, but a triangle.
  @Test func trianglesNotify() {
    let outline = outline()
    let readers = (0..<4).map { _ in Self.reader(of: outline) }
    notes.append(.leaf("c.md"))
    notes.remove(at: 0)
    #expect(!readers.contains { $0.isNotified })
    empty.append(.leaf("d.md"))
    #expect(readers.allSatisfy { $0.notificationCount == 1 })
    #expect(Self.lines(OutlineRows(outline)) == ["x.txt", "+ notes", "+ empty"])
    let reader = Self.reader(of: outline)
    outline.performUpdates {
      empty.remove(at: 0)
      empty.append(.leaf("e.md"))
    }
    #expect(!reader.isNotified)
    empty.remove(at: 0)
    #expect(reader.notificationCount == 1 && Self.lines(OutlineRows(outline)).last == "empty")
    // The folder itself is hidden.
    let inner = BranchNode<String>(value: "inner", leaves: [])
    notes.append(.node(inner))
    let hidden = Self.reader(of: outline)
    inner.append(.leaf("f.md"))
    #expect(!hidden.isNotified)
  }

  /// The children of an expanded row are still loading: no row arrives, but the triangle turns.
  @Test func aLoadingRowShowsThatItIsExpanded() async {
    struct Stop: Error {}
    let tree = HierarchyNode(
      0, id: { $0 }, hasChildren: { $0 < 3 },
      loading: { (value: Int) async throws -> [Int] in
        if value == 0 { return [1, 2, 5] }
        try await Task.sleep(for: .seconds(100))
        return []
      })
    let outline = OutlineNode(tree, id: { $0 })
    _ = outline.count
    #expect(await eventually { outline.count == 3 })
    let reader = Self.reader(of: outline)
    let rows = OutlineRows(outline)
    #expect(rows[0].hasChildren && !rows[0].isExpanded)
    rows[0].isExpanded = true
    #expect(reader.notificationCount == 1)
    #expect(OutlineRows(outline)[0].isExpanded && !rows[0].isExpanded)
    let second = Self.reader(of: outline)
    OutlineRows(outline)[0].isExpanded = true
    // A leaf, and a row that is expanded already.
    OutlineRows(outline)[2].isExpanded = true
    #expect(!second.isNotified)
    #expect(throws: Stop.self) {
      try outline.performUpdates {
        outline.collapse(row: 0)
        #expect(!OutlineRows(outline)[0].isExpanded)
        throw Stop()
      }
    }
    #expect(second.isNotified)
    #expect(OutlineRows(outline)[0].isExpanded)
    OutlineRows(outline)[0].isExpanded.toggle()
    #expect(!OutlineRows(outline)[0].isExpanded)
    let third = Self.reader(of: outline)
    outline.expandAll()
    #expect(third.isNotified && OutlineRows(outline)[1].isExpanded)
  }

  @Test func aTransactionNotifiesOnce() {
    let outline = outline()
    var log: [String] = []
    let delivery = RowDelivery("log") { notify in
      log.append("begin")
      notify()
    }
    let reader = Reader { _ = OutlineRows(outline, delivery: delivery) }
    outline.performUpdates {
      empty.append(.leaf("d.md"))
      outline.expand(row: 1)
      outline.root.remove(at: [0])
    }
    #expect(reader.notificationCount == 1 && log == ["begin"])
    #expect(Self.lines(OutlineRows(outline)) == ["- notes", "  a.md", "  b.md", "+ empty"])
  }

  @Test func rowsMoveWithAllBelowThem() {
    let outline = outline()
    outline.expand(row: 1)
    // x.txt, notes, a.md, b.md, empty
    OutlineRows(outline).move(fromOffsets: [1, 3], toOffset: 0)
    #expect(outline.elements == ["notes", "a.md", "b.md", "x.txt", "empty"])
    OutlineRows(outline).move(fromOffsets: [0], toOffset: 2)
    #expect(outline.elements == ["notes", "a.md", "b.md", "x.txt", "empty"])
    OutlineRows(outline).move(fromOffsets: [0, 3], toOffset: 5)
    #expect(outline.elements == ["empty", "notes", "a.md", "b.md", "x.txt"])
    OutlineRows(outline).move(fromOffsets: [0, 4], toOffset: 3)
    #expect(outline.elements == ["notes", "a.md", "empty", "x.txt", "b.md"] && notes.count == 4)
    OutlineRows(outline).remove(atOffsets: [0, 1, 3])
    #expect(outline.elements == [] && outline.root.count == 0)
  }

  /// The last row of a folder moves behind the folder: its position stays, and its parent changes.
  @Test func rowsChangeTheirParentInPlace() {
    let outline = outline()
    outline.expand(row: 1)
    OutlineRows(outline).move(fromOffsets: [3], toOffset: 4)
    #expect(Self.lines(OutlineRows(outline)) == ["x.txt", "- notes", "  a.md", "b.md", "empty"])
    OutlineRows(outline).move(fromOffsets: [2], toOffset: 5)
    #expect(Self.lines(OutlineRows(outline)) == ["x.txt", "notes", "b.md", "empty", "a.md"])
  }

  @Test func whatIsNotThereTraps() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = OutlineRows(OutlineNode(ArrayNode([1]), id: { $0 }))[1] }
    }
    expect(result, says: "OutlineRows: the position 1 is out of range 0..<1.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = OutlineRows(OutlineNode(BranchNode([ArrayNode([1])]), id: { $0 }))[0] }
    }
    expect(result, says: "OutlineRows: the row 0 is a node without a value, which cannot be shown.")
  }

  /// Who is notified saw something else than there is now, and everybody who did is.
  @Test func exactlyWhatIsVisibleNotifies() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("outline-rows", iteration: iteration)
      let tree = BranchNode<Int>()
      let outline = OutlineNode(tree, id: { $0 })
      var next = 0
      func look() -> [OutlineRow<Int>] {
        let rows = outline.rows(in: 0..<outline.count)
        for (row, shown) in zip(rows, OutlineRows(outline)) {
          #expect(row.value == shown.value && row.depth == shown.depth)
          #expect(row.hasChildren == shown.hasChildren && row.isExpanded == shown.isExpanded)
        }
        return rows
      }
      func anyNode() -> BranchNode<Int> {
        var node = tree
        while let child = (0..<node.count).compactMap({ node.child(at: $0) as? BranchNode<Int> })
          .randomElement(using: &generator), generator.chance(2, in: 3)
        {
          node = child
        }
        return node
      }
      for _ in 0..<TestSeed.length(60) {
        let before = look()
        let reader = Self.reader(of: outline)
        var toggleCount = 0
        outline.performUpdates {
          for _ in 0..<Int.random(in: 1...2, using: &generator) {
            next += 1
            let node = anyNode()
            switch Int.random(in: 0..<7, using: &generator) {
            case 0 where node.count > 0: node.remove(at: Int.random(in: 0..<node.count, using: &generator))
            case 1 where outline.count > 0:
              toggleCount += 1
              outline.toggle(row: Int.random(in: 0..<outline.count, using: &generator))
            case 2 where node.count > 1:
              node.move(
                from: Int.random(in: 0..<node.count, using: &generator),
                to: Int.random(in: 0..<node.count, using: &generator))
            case 3: node.append(.leaf(next))
            case 4 where node.count > 0: node[Int.random(in: 0..<node.count, using: &generator)] = .leaf(next)
            default: node.insert(.node(BranchNode(value: next)), at: Int.random(in: 0...node.count, using: &generator))
            }
          }
        }
        let after = look()
        if before != after { #expect(reader.notificationCount == 1, "\(before) \(after)") }
        // Rows that are collapsed and expanded again may be reported.
        if before == after, toggleCount < 2 { #expect(reader.notificationCount == 0, "\(before)") }
        #expect(OutlineRows(outline).map(\.value) == outline.elements)
      }
    }
  }

  @Test func nothingIsKeptAlive() throws {
    try withLifetimeTracking { tracker in
      let tree = BranchNode(value: "r", leaves: ["a"])
      var outline: OutlineNode<String, String>? = OutlineNode(tree, id: { $0 })
      tracker.expectRelease(of: outline!, "the outline")
      _ = Self.reader(of: outline!)
      var rows: OutlineRows? = OutlineRows(outline!)
      outline = nil
      #expect(rows?.count == 1)
      rows = nil
      tree.append(.leaf("b"))
    }
  }
}
