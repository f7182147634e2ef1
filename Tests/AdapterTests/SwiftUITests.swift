import Assemblage
import AssemblageTesting
import CheckedSwiftUI
import Foundation
import SwiftUIStub
import TestSupport
import Testing

/// What SwiftUI does with rows, by a stub that goes on reading those of its last update.
@MainActor @Suite struct SwiftUITests {
  private let names = ArrayNode(["Ada", "Bo", "Cy"])

  @Test func listsFollowTheirNode() {
    let short = FilterNode(names) { $0.count < 4 }
    let host = ListHost { ForEach(Rows(short), id: \.self) { Text($0) } }
    #expect(host.lines == ["Ada", "Bo", "Cy"])
    short.performUpdates {
      names.removeAll()
      names.append("Di")
    }
    #expect(host.notificationCount == 1 && host.animation == nil)
    host.update()
    #expect(host.lines == ["Di"])
    names.append("Edsger")
    host.update()
    #expect(host.notificationCount == 1 && host.evaluationCount == 2)
  }

  /// A collection that shows what its node has now is taken for unchanged.
  @Test func theHostIsHostile() {
    let live = ListHost { [names] in
      _ = Rows(names)
      return ForEach(LiveRows(node: names), id: \.self) { Text($0) }
    }
    names.append("Di")
    live.update()
    #expect(live.evaluationCount == 2 && live.lines == ["Ada", "Bo", "Cy"])
  }

  private struct LiveRows: RandomAccessCollection {
    let node: ArrayNode<String>
    var startIndex: Int { 0 }
    var endIndex: Int { node.count }
    subscript(position: Int) -> String { node[position] }
  }

  @Test func eachTransactionIsAnimated() {
    let (plain, slow) = (
      ListHost { [names] in ForEach(Rows(names), id: \.self) { Text($0) } },
      ListHost { [names] in ForEach(Rows(names, animation: .linear), id: \.self) { Text($0) } }
    )
    names.performUpdates {
      names.append("Di")
      names.remove(at: 0)
    }
    #expect(slow.notificationCount == 1 && slow.animation == .linear && plain.animation == nil)
    withAnimation { names.append("Ed") }
    #expect(plain.notificationCount == 1)
    plain.update()
    slow.update()
    withAnimation { names.append("Flo") }
    #expect(plain.animation == .default && slow.animation == .linear)
  }

  @Test func theUserDeletesAndMovesRows() {
    let host = ListHost { [names] in
      let rows = Rows(names)
      return ForEach(rows, id: \.self) { Text($0) }
        .onMove(perform: rows.move(fromOffsets:toOffset:))
        .onDelete(perform: rows.remove(atOffsets:))
    }
    host.view.content.move?([0], 3)
    host.update()
    #expect(host.lines == ["Bo", "Cy", "Ada"])
    // A row comes before the user has seen it.
    names.insert("new", at: 0)
    host.view.delete?([1])
    host.update()
    #expect(host.lines == ["new", "Bo", "Ada"])
  }

  @Test func sectionsAreListsOfTheirOwn() {
    let letters = GroupNode(names) { String($0.prefix(1)) }
    let host = ListHost {
      ForEach(Rows.sections(of: letters, animation: .default)) { section in
        Section(section.first ?? "") { ForEach(section, id: \.self) { Text($0) } }
      }
    }
    #expect(host.lines == ["# Ada", "Ada", "# Bo", "Bo", "# Cy", "Cy"])
    letters.performUpdates {
      names.append("Al")
      names.remove(at: 1)
    }
    #expect(host.notificationCount == 1 && host.animation == .default)
    host.update()
    #expect(host.lines == ["# Ada", "Ada", "Al", "# Cy", "Cy"])
  }

  @Test func outlinesHaveBindings() {
    let notes = BranchNode(value: "notes", leaves: ["a.md"])
    let outline = OutlineNode(BranchNode([.node(notes), .leaf("x.txt")]), id: { $0 })
    let host = ListHost {
      ForEach(OutlineRows(outline, animation: .default), id: \.value) { row in Toggle(row.value, isOn: row.expansion) }
    }
    #expect(host.lines == ["[ ] notes", "[ ] x.txt"])
    host.view.content(host.view.data[0]).isOn.wrappedValue = true
    #expect(host.notificationCount == 1 && host.animation == .default)
    host.update()
    #expect(host.lines == ["[x] notes", "[ ] a.md", "[ ] x.txt"])
  }

  @Test func theSelectionIsBound() {
    let selection = SelectionModel(of: names, id: { $0 })
    @Bindable var bound = selection
    let ids = $bound.ids
    ids.wrappedValue = ["Bo"]
    names.insert("Abe", at: 0)
    #expect(selection.selectedRanges == [2..<3] && ids.wrappedValue == ["Bo"])
    Bindable(selection).singleID.wrappedValue = nil
    #expect(selection.selectedCount == 0)
  }

  /// Any list follows any script.
  @Test func listsShowWhatNodesHave() {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("swiftui", iteration: iteration)
      let numbers = ArrayNode(Array(0..<5))
      let sorted = SortNode(FilterNode(numbers) { $0 % 3 > 0 }, by: >)
      let host = ListHost { ForEach(Rows(sorted), id: \.self) { Text("\($0)") } }
      for next in 10..<10 + TestSeed.length(40) {
        if numbers.count > 0, generator.chance(1, in: 2) {
          numbers.remove(at: Int.random(in: 0..<numbers.count, using: &generator))
        } else {
          numbers.append(next)
        }
        if generator.chance(1, in: 2) { continue }
        host.update()
        #expect(host.lines == sorted.elements.map { "\($0)" })
      }
    }
  }
}
