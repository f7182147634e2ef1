import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation

/// A model of a table as a widget: it refuses what real ones refuse.
final class ModelWidget<Element>: ListWidget {
  private(set) var model = ListViewModel<Element>(TreeSnapshot())
  var scrollPosition: ScrollPosition? { didSet { scrollCount += 1 } }
  private(set) var scrollCount = 0
  /// What the widget was asked to do.
  private(set) var log: [String] = []
  private(set) var error: ListViewError?
  /// Called in the middle of each update, when the rows have been asked for.
  var whileUpdating: () -> Void = {}
  var source: ViewDataSource<Element>?
  /// How many elements were asked for.
  private(set) var requestCount = 0

  func reload() {
    log.append("reload")
    guard let source = countingSource else { return }
    model.reload(from: source)
    whileUpdating()
  }

  func perform(_ batch: ChangeSet.Batch) {
    log.append(batch.description)
    do { try model.perform(batch, from: countingSource!) } catch { self.error = error }
    whileUpdating()
  }

  func shownCount(at path: IndexPath) -> Int { model.count(at: path) }

  private var countingSource: ViewDataSource<Element>? {
    guard let source else { return nil }
    return ViewDataSource(count: source.count) { path in
      self.requestCount += 1
      return source.value(path)
    }
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  func follow(_ coordinator: SectionedListCoordinator<Element>) {
    source = ViewDataSource(
      count: { [unowned coordinator] path in
        path.isEmpty ? coordinator.sectionCount : coordinator.count(ofSection: path[0])
      }, value: { [unowned coordinator] in coordinator.element(at: $0) })
    coordinator.widget = self
  }

  func follow(_ coordinator: ListCoordinator<Element>) {
    source = ViewDataSource(
      count: { [unowned coordinator] in $0.isEmpty ? 1 : coordinator.count },
      value: { [unowned coordinator] in $0.count == 1 ? nil : coordinator.element(at: $0[1]) })
    coordinator.widget = self
  }

  var rows: [[Element?]] { model.sections.map(\.rows) }
}
