import Assemblage
import AssemblageWidgets

/// A list that keeps its rows in arrays, and applies each batch with `ChangeSet.Batch.apply(to:rows:row:)`.
package final class SectionWidget: LateWidget, ListWidget {
  private var sections: [[PipelineRow?]] = []

  /// Creates a widget that shows nothing.
  package override init() {}

  override func load() { sections = (0..<count(at: [])).map(rows) }

  override func loadedCount(at path: IndexPath) -> Int? {
    path.isEmpty ? sections.count : path.count == 1 ? sections[path[0]].count : nil
  }

  override func loadedElement(at path: IndexPath) -> PipelineRow? {
    path.count == 2 ? sections[path[0]][path[1]] : newElement(at: path)
  }

  private func rows(ofSection section: Int) -> [PipelineRow?] {
    (0..<count(at: [section])).map { newElement(at: [section, $0]) }
  }

  override func apply(_ batch: ChangeSet.Batch, _ commit: () -> Void) {
    commit()
    var shown = sections
    batch.apply(to: &shown, rows: rows, row: newElement)
    sections = shown
  }
}

@available(*, unavailable)
extension SectionWidget: Sendable {}
