import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// A batch that a list view must refuse, with the reason.
private struct Refusal: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let updates: ListBatch
  /// The number of rows of each section after the batch, according to the data source.
  let after: [Int]
  let error: ListViewError

  init(
    _ testDescription: String, _ error: ListViewError, after: [Int] = [2, 2, 2], deletions: [IndexPath] = [],
    insertions: [IndexPath] = [], moves: [(IndexPath, IndexPath)] = [], reloads: [IndexPath] = []
  ) {
    self.testDescription = testDescription
    self.error = error
    self.after = after
    updates = ListBatch(
      deletions: deletions, insertions: insertions,
      moves: moves.map { ChangeSet.Paths.Move(from: $0.0, to: $0.1) }, reloads: reloads)
  }

  /// The refusals of a view with three sections of two rows.
  static let all: [Refusal] = [
    Refusal(
      "a row too many",
      .invalidRowCount(section: 1, before: 2, after: 3, inserted: 0, deleted: 0, movedIn: 0, movedOut: 0),
      after: [2, 3, 2]),
    Refusal(
      "a row not accounted for",
      .invalidRowCount(section: 0, before: 2, after: 2, inserted: 1, deleted: 0, movedIn: 0, movedOut: 0),
      insertions: [[0, 0]]),
    Refusal(
      "a moved row counted twice",
      .invalidRowCount(section: 0, before: 2, after: 2, inserted: 0, deleted: 0, movedIn: 0, movedOut: 1),
      after: [2, 3, 2], moves: [([0, 0], [1, 0])]),
    Refusal(
      "a section too few", .invalidSectionCount(before: 3, after: 2, inserted: 0, deleted: 0), after: [2, 2]),
    Refusal("a row deleted twice", .twice(.delete, [0, 0]), after: [0, 2, 2], deletions: [[0, 0], [0, 0]]),
    Refusal("a section deleted twice", .twice(.delete, [0]), after: [2], deletions: [[0], [0]]),
    Refusal("a row inserted twice", .twice(.insert, [0, 0]), after: [4, 2, 2], insertions: [[0, 0], [0, 0]]),
    Refusal("a row reloaded twice", .twice(.reload, [0, 0]), reloads: [[0, 0], [0, 0]]),
    Refusal("a section reloaded twice", .twice(.reload, [0]), reloads: [[0], [0]]),
    Refusal(
      "a row moved twice", .twice(.moveFrom, [0, 0]), moves: [([0, 0], [0, 1]), ([0, 0], [1, 0])]),
    Refusal(
      "two rows moved to one place", .twice(.moveTo, [0, 1]), moves: [([0, 0], [0, 1]), ([1, 0], [0, 1])]),
    Refusal(
      "deleted and moved", .collision(.delete, .moveFrom, [0, 0]), deletions: [[0, 0]],
      moves: [([0, 0], [0, 1])]),
    Refusal(
      "inserted and moved to", .collision(.insert, .moveTo, [0, 1]), insertions: [[0, 1]],
      moves: [([0, 0], [0, 1])]),
    Refusal(
      "deleted and reloaded", .collision(.delete, .reload, [0, 0]), after: [1, 2, 2], deletions: [[0, 0]],
      reloads: [[0, 0]]),
    Refusal(
      "moved and reloaded", .collision(.moveFrom, .reload, [0, 0]), moves: [([0, 0], [0, 1])],
      reloads: [[0, 0]]),
    Refusal("a row that is not there", .outOfRange(.delete, [0, 2], count: 2), deletions: [[0, 2]]),
    Refusal("a section that is not there", .outOfRange(.delete, [3], count: 3), deletions: [[3]]),
    Refusal("a row of no section", .outOfRange(.reload, [3, 0], count: 3), reloads: [[3, 0]]),
    Refusal(
      "an insertion beyond the end", .outOfRange(.insert, [0, 3], count: 3), after: [3, 2, 2], insertions: [[0, 3]]),
    Refusal("a move from beyond the end", .outOfRange(.moveFrom, [0, 2], count: 2), moves: [([0, 2], [0, 0])]),
    Refusal("a move beyond the end", .outOfRange(.moveTo, [1, 2], count: 2), moves: [([0, 0], [1, 2])]),
    Refusal("something inside a row", .outOfRange(.reload, [0, 0, 0], count: 0), reloads: [[0, 0, 0]]),
    Refusal(
      "a row into a section that comes", .moveIntoInsertedSection(0), after: [1, 1, 2, 2], insertions: [[0]],
      moves: [([0, 0], [0, 0])]),
    Refusal(
      "a row out of a section that leaves", .moveFromDeletedSection(0), after: [3, 2], deletions: [[0]],
      moves: [([0, 0], [0, 0])]),
    Refusal(
      "a row of a section that leaves", .changeInSection(.delete, .delete, [0, 0]), after: [2, 2],
      deletions: [[0], [0, 0]]),
    Refusal(
      "a row of a section that comes", .changeInSection(.insert, .insert, [0, 0]), after: [1, 2, 2, 2],
      insertions: [[0], [0, 0]]),
    Refusal(
      "a row of a section that moves", .changeInMovedSection(.reload, [0, 0]), moves: [([0], [1])],
      reloads: [[0, 0]]),
    Refusal(
      "an insertion in a section that moves", .changeInMovedSection(.insert, [1, 0]), after: [2, 3, 2],
      insertions: [[1, 0]], moves: [([0], [1])]),
    Refusal(
      "a row out of a section that moves", .changeInMovedSection(.moveFrom, [0, 0]), after: [2, 1, 3],
      moves: [([0], [1]), ([0, 0], [2, 0])]),
    Refusal(
      "a row of a section that is reloaded", .changeInMovedSection(.delete, [0, 0]), after: [1, 2, 2],
      deletions: [[0, 0]], reloads: [[0]]),
    Refusal(
      "an insertion in a section that is reloaded", .changeInMovedSection(.insert, [0, 0]), after: [3, 2, 2],
      insertions: [[0, 0]], reloads: [[0]]),
    Refusal(
      "a row into a section that is reloaded", .changeInMovedSection(.moveTo, [0, 0]), after: [3, 1, 2],
      moves: [([1, 0], [0, 0])], reloads: [[0]]),
    Refusal(
      "a displaced section", .displacedReload(section: 1, after: 2), after: [0, 2, 2, 2], insertions: [[0]],
      reloads: [[1]]),
  ]
}

@Suite struct ListViewModelTests {
  private static func view(_ sections: [[String]]) -> ListViewModel<String> {
    ListViewModel(
      TreeSnapshot(
        children: sections.enumerated().map { TreeSnapshot(value: "section \($0)", leaves: $1) }))
  }

  private static func source(_ rows: [Int]) -> ViewDataSource<String> {
    ViewDataSource(count: { $0.isEmpty ? rows.count : rows[$0[0]] }, value: { "new \($0.map(String.init))" })
  }

  @Test(arguments: Refusal.all) private func refuses(_ refusal: Refusal) {
    var view = Self.view([["a", "b"], ["c", "d"], ["e", "f"]])
    let before = view
    #expect(throws: refusal.error) { try view.perform(refusal.updates, from: Self.source(refusal.after)) }
    #expect(view == before)
    #expect(!refusal.error.description.isEmpty)
  }

  @Test func saysWhyInTheWordsOfTheViews() {
    #expect(
      ListViewError.invalidRowCount(
        section: 0, before: 2, after: 2, inserted: 1, deleted: 0, movedIn: 0, movedOut: 0
      ).description == """
        Invalid update: invalid number of rows in section 0. The number of rows contained in an existing section after the update (2) \
        must be equal to the number of rows contained in that section before the update (2), plus or minus the number of rows inserted \
        or deleted from that section (1 inserted, 0 deleted) and plus or minus the number of rows moved into or out of that section (0 \
        moved in, 0 moved out).
        """)
    #expect(
      ListViewError.moveIntoInsertedSection(2).description == "cannot move a row into a newly inserted section (2)")
  }

  @Test func keepsRowsWithoutAChange() throws {
    var view = Self.view([["a", "b", "c"], ["d"], []])
    // "b" leaves, "a" moves to the end, "d" moves to the section that was the last and is now the first. "c" is
    // reloaded.
    let moves = [([2], [0]), ([0, 0], [1, 1])].map { ChangeSet.Paths.Move(from: $0.0, to: $0.1) }
    try view.perform(
      ListBatch(deletions: [[0, 1]], insertions: [[3]], moves: moves, reloads: [[0, 2]]),
      from: Self.source([0, 2, 1, 1]))
    #expect(view.sections.map(\.rows) == [[], ["new [\"1\", \"0\"]", "a"], ["d"], ["new [\"3\", \"0\"]"]])
    #expect(view.sections.map(\.value) == ["section 2", "section 0", "section 1", "new [\"3\"]"])
    view.reload(from: Self.source([1]))
    #expect(view.sections.map(\.rows) == [["new [\"0\", \"0\"]"]] && view.count(at: [0]) == 1)
  }
}
