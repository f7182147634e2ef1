@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// Trees of 10,000,000 rows in a soak, and of 10,000 otherwise. The place of each row follows from its number.
@Suite struct SizeSoakTests {
  /// The numbers of folders, of lists in a folder, and of rows in a list.
  private static let folders = TestSeed.isSoak ? 1_000 : 10
  private static let lists = 10
  private static let rows = TestSeed.isSoak ? 1_000 : 100
  private static let total = folders * lists * rows

  /// The number of rows of a list with its own row, and of a whole folder.
  private static let listSize = rows + 1
  private static let folderSize = lists * listSize + 1

  /// Folders have the values -1, -2 …; lists have none; rows are numbered from 0 in order.
  private func tree() -> BranchNode<Int> {
    BranchNode(
      (0..<Self.folders).map { folder in
        BranchNode(
          value: -folder - 1,
          (0..<Self.lists).map { list in
            let start = (folder * Self.lists + list) * Self.rows
            return .node(ArrayNode(start..<start + Self.rows))
          })
      })
  }

  /// Returns the row of an element if everything is expanded.
  private func row(_ element: Int) -> Int {
    let list = element / Self.rows
    return list / Self.lists * Self.folderSize + 1 + list % Self.lists * Self.listSize + 1 + element % Self.rows
  }

  private func path(_ element: Int) -> IndexPath {
    let list = element / Self.rows
    return [list / Self.lists, list % Self.lists, element % Self.rows]
  }

  /// Elements from all parts of the tree, including the first and the last.
  private var samples: [Int] { (0...100).map { (Self.total - 1) * $0 / 100 } }

  @Test func allRowsOfBranchesAndArraysAreShownEditedAndReleased() throws {
    weak var released: BranchNode<Int>?
    do {
      let root = tree()
      released = root
      let outline = OutlineNode(root, id: { $0 })
      #expect(outline.count == Self.folders)
      outline.expandAll()
      #expect(outline.count == Self.folders * Self.folderSize)
      for element in samples {
        #expect(outline.element(at: row(element)) == element && outline.path(ofRow: row(element)) == path(element))
        #expect(outline.row(ofPath: path(element)) == row(element))
      }
      var sum = 0
      outline.forEachSpan(in: 0..<outline.count) { _, span in for index in span.indices { sum += span[index] } }
      #expect(sum == Self.total * (Self.total - 1) / 2 - Self.folders * (Self.folders + 1) / 2)

      var received: [ChangeSet] = []
      let token = outline.observe { received.append($0) }
      let middle = Self.folders / 2
      outline.collapse(row: middle * Self.folderSize)
      #expect(received.last == ChangeSet(.removal(middle * Self.folderSize + 1..<(middle + 1) * Self.folderSize)))
      outline.expand(row: middle * Self.folderSize)
      #expect(outline.count == Self.folders * Self.folderSize)
      root.insert(-7, at: path(Self.total / 2))
      #expect(received.last == ChangeSet(.insertion(row(Self.total / 2)..<row(Self.total / 2) + 1)))
      root.remove(at: path(Self.total / 2))
      root.move(from: [0], to: [Self.folders - 1])
      #expect(received.last?.delta.moves.first?.source.count == Self.folderSize)
      #expect(outline.element(at: 0) == -2)
      root.move(from: [Self.folders - 1], to: [0])
      outline.collapseAll()
      #expect(received.count == 7 && outline.count == Self.folders)
      token.cancel()
    }
    #expect(released == nil)
  }

  @Test(arguments: TreeFilterPolicy.allCases) func allRowsAreFiltered(_ policy: TreeFilterPolicy) throws {
    let root = tree()
    let hides = policy == .hidingSubtrees
    // One row in ten passes. Folders must pass where they would be hidden otherwise. Lists have no value, so they pass
    // then.
    let filter = TreeFilterNode(root, policy: policy) { $0 < 0 ? hides : $0 % 10 == 0 }
    let branches = Self.folders * (1 + Self.lists)
    #expect(filter.matchCount == Self.total / 10 + (hides ? branches : 0))
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == Self.total / 10 + branches)
    for element in samples {
      let (list, place) = (element / Self.rows, element % Self.rows / 10)
      let shown: IndexPath = [list / Self.lists, list % Self.lists, place]
      #expect(filter.element(at: shown) == list * Self.rows + place * 10)
      #expect(outline.row(ofPath: shown) == list + list / Self.lists + 2 + list * Self.rows / 10 + place)
    }
    let last = path(Self.total - 1)
    root.replace(at: last, with: 10)
    #expect(outline.count == Self.total / 10 + branches + 1 && outline.element(at: outline.count - 1) == 10)
    filter.setPredicate { $0 < 0 ? hides : $0 % 2 == 1 }
    #expect(outline.count == Self.total / 2 - 1 + branches)
    root.remove(at: 0)
    #expect(outline.count == Self.total / 2 - 1 + branches - (Self.lists * (Self.rows / 2 + 1) + 1))
  }

  /// Folders at two levels, and files. Their rows are loaded when they are shown.
  @Test func allRowsOfAHierarchyAreLoadedWhenTheyAreShown() {
    let (folders, files) = (TestSeed.isSoak ? 100 : 10, TestSeed.isSoak ? 1_000 : 100)
    let total = folders * folders * files
    let lowest = folders + folders * folders
    var calls = 0
    // The root is 0. The folders follow level by level, and the files follow all folders.
    let tree = HierarchyNode(
      0, id: { $0 }, hasChildren: { $0 <= lowest },
      children: { parent in
        calls += 1
        if parent <= folders { return Array(parent * folders + 1...(parent + 1) * folders) }
        let start = lowest + 1 + (parent - folders - 1) * files
        return Array(start..<start + files)
      })
    let outline = OutlineNode(tree, id: { $0 })
    #expect(outline.count == folders && calls == 1)
    outline.expand(row: folders / 2)
    #expect(outline.count == 2 * folders && calls == 2)
    outline.expandAll()
    #expect(calls == 1 + lowest && outline.count == total + lowest)
    #expect(outline.element(at: outline.count - 1) == lowest + total)
    #expect(outline.path(ofRow: 2) == [0, 0, 0] && outline.element(at: 2) == lowest + 1)
    let found = TreeFilterNode(tree) { $0 > lowest && ($0 - lowest) % files == 1 }
    #expect(calls == 1 + lowest && found.matchCount == folders * folders)
    tree.reload(.children)
    outline.collapseAll()
    #expect(calls == 2 + lowest && outline.count == folders)
  }
}
