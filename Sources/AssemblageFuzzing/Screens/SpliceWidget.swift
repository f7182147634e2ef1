package import Assemblage
import AssemblageTesting
import AssemblageWidgets

/// A list that is notified of one splice after the other, as GTK and Qt do, and asks for a row after each of them.
package final class SpliceWidget: LateWidget, RowsWidget {
  private var rows: [PipelineRow?] = []
  private var generator = SeededGenerator(seed: 1)

  /// Creates a widget that shows nothing.
  package override init() {}

  override func load() { rows = (0..<count(at: [0])).map { newElement(at: [0, $0]) } }

  override func loadedCount(at path: IndexPath) -> Int? { path.isEmpty ? 1 : path == [0] ? rows.count : nil }

  override func loadedElement(at path: IndexPath) -> PipelineRow? {
    path.count == 2 ? rows[path[1]] : newElement(at: path)
  }

  package func perform(_ change: Delta, commit: @escaping () -> Void) {
    update(commit) { commit in
      commit()
      let splices = RowSplices(change, replacingAtMost: Int.random(in: 0...3, using: &generator))
      for (index, splice) in splices.enumerated() {
        rows.removeSubrange(splice.position..<splice.position + splice.removedCount)
        let new = splice.position..<splice.position + splice.insertedCount
        rows.insert(contentsOf: new.map { newElement(at: [0, $0]) }, at: splice.position)
        askForRow(between: splices, index + 1, change)
      }
      for row in change.updates.joined() { rows[row] = newElement(at: [0, row]) }
    }
  }

  /// Asks for any row between two splices.
  private func askForRow(between splices: RowSplices, _ count: Int, _ change: Delta) {
    if rows.isEmpty { return }
    let shown = Int.random(in: 0..<rows.count, using: &generator)
    guard let row = splices.row(after: shown, following: count), !change.updates.contains(where: { $0.contains(row) })
    else { return }
    // Meanwhile the row may have left the node, or have another value.
    if isCurrent, newElement(at: [0, row]) != rows[shown] {
      fail("between two splices, the row \(shown) is another one")
    }
  }
}

@available(*, unavailable)
extension SpliceWidget: Sendable {}
