import Assemblage
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Batches that are applied to arrays.
@Suite struct BatchApplyingTests: MisuseSuite {
  static let misuses = [
    Misuse("The batch has sections: apply it to the rows of all sections, with apply(to:rows:row:).") {
      var rows = [1]
      for case .batch(let batch) in ChangeSet(.insertion(1..<2)).stages() { batch.apply(to: &rows) { $0 } }
    }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  /// A widget that keeps its rows in arrays.
  private final class Rows: ListWidget {
    let coordinator: SectionedListCoordinator<Int>
    private(set) var sections: [[Int?]] = []
    private(set) var batches: [ChangeSet.Batch] = []
    /// Called for each row that the widget asks for in a batch.
    var whileAsking: () -> Void = {}

    init(_ node: any TreeNode<Int>) {
      coordinator = SectionedListCoordinator(node)
      coordinator.widget = self
    }

    func reload() { sections = (0..<coordinator.sectionCount).map(rows) }

    func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      commit()
      batches.append(batch)
      var shown = sections
      batch.apply(to: &shown, rows: rows) { path in
        whileAsking()
        return coordinator.element(at: path)
      }
      sections = shown
    }

    func shownCount(at path: IndexPath) -> Int? {
      path.isEmpty ? sections.count : sections.indices.contains(path[0]) ? sections[path[0]].count : nil
    }

    private func rows(_ section: Int) -> [Int?] {
      whileAsking()
      return (0..<coordinator.count(ofSection: section)).map { coordinator.element(at: [section, $0]) }
    }
  }

  /// Any transaction of edits of sections and rows leads to the rows of the node.
  @Test func sectionsFollow() {
    var moveCount = 0
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("batch-applying", iteration: iteration)
      var nextID = 0
      func ids(_ count: Int) -> [Int] {
        nextID += count
        return Array(nextID - count..<nextID)
      }
      let root = BranchNode((0..<3).map { _ in ArrayNode(ids(4)) })
      let widget = Rows(root)
      func place() -> IndexPath? {
        guard root.count > 0 else { return nil }
        let section = Int.random(in: 0..<root.count, using: &generator)
        let count = root.count(at: [section])!
        return count == 0 ? nil : [section, Int.random(in: 0..<count, using: &generator)]
      }
      func edit() {
        let section = root.count == 0 ? nil : Int.random(in: 0..<root.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: root.insert(.node(ArrayNode(ids(2))), at: Int.random(in: 0...root.count, using: &generator))
        case 1: if let section { root.remove(at: [section]) }
        case 2: if let section { root.move(from: section, to: Int.random(in: 0..<root.count, using: &generator)) }
        case 3: if let section { root.insert(ids(1)[0], at: [section, root.count(at: [section])!]) }
        case 4: if let path = place() { root.remove(at: path) }
        case 5: if let path = place() { root.replace(at: path, with: ids(1)[0]) }
        default:
          if let path = place(), let section {
            root.move(path, into: [section], at: Int.random(in: 0...root.count(at: [section])!, using: &generator))
          }
        }
      }
      for _ in 0..<10 {
        root.performUpdates { for _ in 0..<Int.random(in: 1...4, using: &generator) { edit() } }
        #expect(widget.sections == (0..<root.count).map { root.child(at: $0)!.elements })
      }
      moveCount += widget.batches.map(\.moves.count).reduce(0, +)
    }
    #expect(moveCount > 0)
  }

  /// An element that is no longer in the node has no row, also if the node changes while the batch is applied.
  @Test func theNodeMayChangeMeanwhile() {
    let root = BranchNode([ArrayNode([1, 2]), ArrayNode([3])])
    let widget = Rows(root)
    widget.whileAsking = {
      widget.whileAsking = {}
      root.remove(at: [1])
    }
    root.performUpdates {
      root.insert(.node(ArrayNode([5])), at: 2)
      root.insert(0, at: [0, 0])
      root.insert(4, at: [1, 1])
    }
    #expect(widget.sections == [[0, 1, 2], [5]])
    // A section that leaves before the widget has asked for its rows.
    widget.whileAsking = {
      widget.whileAsking = {}
      root.remove(at: [2])
    }
    root.performUpdates {
      root.insert(.node(ArrayNode([7])), at: 1)
      root.insert(.node(ArrayNode([6])), at: 1)
    }
    #expect(widget.sections == [[0, 1, 2], [6], [5]])
  }

  @Test func rowsFollow() throws {
    let numbers = ArrayNode(Array(0..<6))
    var rows = numbers.elements
    var asked: [Int] = []
    let token = numbers.observe { change in
      for case .batch(let batch) in ChangeSet(change.delta).wrapped(at: 0).stages() {
        batch.apply(to: &rows) { position in
          asked.append(position)
          return numbers[position]
        }
      }
    }
    numbers.performUpdates {
      numbers.move(from: 5, to: 0)
      numbers.remove(at: 2)
      numbers.append(contentsOf: [7, 8])
      numbers[3] = 30
    }
    #expect(rows == numbers.elements && rows == [5, 0, 2, 30, 4, 7, 8])
    #expect(asked.sorted() == [3, 5, 6])
    token.cancel()
  }
}
