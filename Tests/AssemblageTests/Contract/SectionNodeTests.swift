import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Headers and footers of branches, and elements with a visibility of their own.
@Suite struct SectionNodeTests {
  @Test func theExamplesHold() {
    let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
    let sections = BranchNode([fruit])
    let recorder = ChangeRecorder(of: sections)
    fruit.header = "Fruit"
    #expect(recorder.recording.map(\.recordedText) == ["[~0]"])
    let table = TreeFilterNode(sections) { $0 != "pear" }
    #expect(table.header(at: [0]) == "Fruit" && table.footer(at: [0]) == nil && table.header(at: [0, 0]) == nil)
    #expect(table.header(at: [7]) == nil && table.header(at: []) == nil)
    fruit.footer = "2 kinds"
    #expect(sections.footer(at: [0]) == "2 kinds" && fruit.header == "Fruit" && fruit.footer(at: []) == "2 kinds")
    fruit.header = nil
    #expect(fruit.header == nil && fruit.footer == "2 kinds")
  }

  @Test func theBranchsOwnObserversHearOfAnUpdateOfItsValue() {
    let branch = BranchNode(leaves: [1])
    var received: [ChangeSet] = []
    let token = branch.observe { received.append($0) }
    branch.performUpdates {
      branch.header = 5
      branch.footer = 6
    }
    #expect(received == [ChangeSet(updatesValue: true)])
    token.cancel()
  }

  @Test func viewsShowThemOfTheirSource() {
    let source = BranchNode(leaves: [3, 1, 2, 2])
    source.header = 10
    source.footer = 20
    let views: [any SectionNode<Int>] = [
      FilterNode(source) { $0 > 1 }, TreeFilterNode(source) { $0 > 1 }, SortNode(source), SliceNode(source, 0..<2),
      UniqueNode(source, id: { $0 }),
    ]
    for view in views {
      #expect(view.header == 10 && view.footer == 20, "\(view)")
      var updates = 0
      let token = view.observe { if $0.updatesValue { updates += 1 } }
      source.header = 11
      #expect(view.header == 11 && updates == 1, "\(view)")
      source.header = 10
      token.cancel()
    }
    let mapped = MapNode(BranchNode([source])) { "\($0)" }
    #expect(mapped.header(at: [0]) == "10" && mapped.footer(at: [0]) == "20" && mapped.header(at: []) == nil)
    #expect(JoinNode<Int>([source]).header(at: []) == nil)
  }

  struct Stop: Error {}

  @Test func theyAreRolledBackAndUndone() {
    let branch = BranchNode(leaves: ["a"])
    let root = BranchNode([branch])
    branch.footer = "end"
    let log = UndoLog(of: root)
    let recorder = ChangeRecorder(of: root)
    #expect(throws: Stop.self) {
      try root.performUpdates {
        branch.header = "1"
        branch.footer = nil
        branch.append(.leaf("b"))
        branch.header = "2"
        throw Stop()
      }
    }
    #expect(branch.header == nil && branch.footer == "end" && branch.elements == ["a"])
    #expect(recorder.recording.isEmpty && !log.canUndo)
    branch.header = "1"
    root.performUpdates {
      branch.header = "2"
      branch.footer = "3"
    }
    log.undo()
    #expect(branch.header == "1" && branch.footer == "end")
    log.undo()
    #expect(branch.header == nil && branch.footer == "end")
    log.redo()
    log.redo()
    #expect(branch.header == "2" && branch.footer == "3")
    #expect(recorder.recording.map(\.recordedText) == Array(repeating: "[~0]", count: 6))
  }

  @Test func theyAreReleased() {
    final class Title {}
    weak var title: Title?
    do {
      let branch = BranchNode<Title>()
      let header = Title()
      title = header
      branch.header = header
      #expect(branch.header === title)
    }
    #expect(title == nil)
  }

  // MARK: Visibility

  private final class Item {
    let name: String
    var isVisible = true
    init(_ name: String) { self.name = name }
  }

  @Test func aKeyPathHidesElementsThatSaySo() {
    let items = ArrayNode(["a", "b", "c"].map(Item.init))
    let visible = FilterNode(items, where: \.isVisible)
    let recorder = ChangeRecorder(of: visible)
    items.update(at: 1) { $0.isVisible = false }
    #expect(visible.elements.map(\.name) == ["a", "c"])
    // The same, where other code has changed the element.
    items[2].isVisible = false
    items.update(at: 2)
    #expect(visible.elements.map(\.name) == ["a"])
    items.update(at: 1) { $0.isVisible = true }
    #expect(visible.elements.map(\.name) == ["a", "b"])
    #expect(recorder.recording.map(\.recordedText) == ["[-1]", "[-1]", "[+1]"])
  }

  @Test func theSameAtEveryDepth() {
    let section = Item("section")
    let tree = BranchNode([BranchNode(value: section, leaves: ["a", "b"].map(Item.init))])
    let visible = TreeFilterNode(tree, policy: .hidingSubtrees, where: \.isVisible)
    section.isVisible = false
    tree.replace(at: [0], with: section)
    #expect(visible.isEmpty)
    section.isVisible = true
    tree.replace(at: [0], with: section)
    tree.replace(at: [0, 1], with: Item("c"))
    #expect(visible.child(at: 0)?.elements.map(\.name) == ["a", "c"])
  }
}
