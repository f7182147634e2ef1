import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation

/// An outline that identifies its rows by objects, like `NSOutlineView`: some rows are never unfolded, and some rows
/// are asked for in the middle of a batch.
package final class ItemWidget: LateWidget, OutlineWidget {
  private final class Row {
    let item: OutlineItem?
    var element: PipelineRow?
    /// Whether the element has to be asked for.
    var isNew = true
    /// nil: the row was never unfolded.
    var children: [Row]?

    init(_ item: OutlineItem?) { self.item = item }
  }

  private lazy var items = OutlineItems { [unowned self] in count(at: $0) }
  private var top = Row(nil)
  private var generator = SeededGenerator(seed: 1)

  /// Creates a widget that shows nothing.
  package override init() {}

  package override func invalidate() {
    super.invalidate()
    items.removeAll()
    top = Row(nil)
  }

  override func load() { unfold(top) }

  private func unfold(_ row: Row) {
    row.children = (0..<items.count(of: row.item)).map { Row(items.child(at: $0, of: row.item)) }
    for child in row.children ?? [] {
      show(child)
      if generator.chance(1, in: 2) { unfold(child) }
    }
  }

  private func show(_ row: Row) {
    row.isNew = false
    row.element = items.path(of: row.item).flatMap(newElement)
  }

  private func row(at path: IndexPath) -> Row? {
    var row = top
    for position in path {
      guard let children = row.children, children.indices.contains(position) else { return nil }
      row = children[position]
    }
    return row
  }

  private func row(of item: OutlineItem?) -> Row? {
    var waiting = [top]
    while let row = waiting.popLast() {
      if row.item === item { return row }
      waiting += row.children ?? []
    }
    return nil
  }

  override func loadedCount(at path: IndexPath) -> Int? { row(at: path)?.children?.count }

  override func loadedElement(at path: IndexPath) -> PipelineRow? { row(at: path)?.element }

  override func apply(_ batch: ChangeSet.Batch, _ commit: () -> Void) {
    items.perform(batch, commit: commit, apply)
    check(top, at: [])
  }

  private func apply(_ call: OutlineItems.Call) {
    switch call {
    case .remove(let positions, let parent):
      for position in positions.reversed() { known(parent).children?.remove(at: position) }
    case .insert(let positions, let parent):
      for position in positions {
        let row = Row(items.child(at: position, of: parent))
        known(parent).children?.insert(row, at: position)
        if generator.chance(1, in: 2) { continue }
        show(row)
        if generator.chance(1, in: 2) { unfold(row) }
      }
    case .move(let position, let parent, let destination, let newParent):
      if let row = known(parent).children?.remove(at: position) {
        known(newParent).children?.insert(row, at: destination)
      }
    case .reload(let item): known(item).isNew = true
    }
  }

  /// The row of an item that a call names.
  private func known(_ item: OutlineItem?) -> Row {
    if let row = row(of: item) { return row }
    fail("a call names an item that the view does not know")
    return Row(item)
  }

  /// Checks the items after a batch, and asks for the elements of new rows.
  private func check(_ row: Row, at path: IndexPath) {
    if items.path(of: row.item) != path { fail("the item of \(Array(path)) is at another path") }
    if row.isNew, row !== top { show(row) }
    guard let children = row.children else { return }
    if items.count(of: row.item) != children.count { fail("the item of \(Array(path)) has another count") }
    for (position, child) in children.enumerated() { check(child, at: path.appending(position)) }
  }
}

@available(*, unavailable)
extension ItemWidget: Sendable {}
