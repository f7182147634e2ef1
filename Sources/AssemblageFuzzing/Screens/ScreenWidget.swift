package import Assemblage
package import AssemblageTesting
package import AssemblageWidgets

/// A widget in memory on a screen of a pipeline.
///
/// A widget asks as late as a view of Apple's systems. After a reload, it has no rows until somebody needs them.
package protocol ScreenWidget: CoordinatedWidget {
  typealias Moment = WidgetModel<PipelineRow>.Moment

  /// Whether the widget has asked for its rows.
  var isLoaded: Bool { get }

  /// All paths that the widget shows, in order. The widget asks for its rows, if it has none.
  var paths: [IndexPath] { get }

  /// The element that the widget shows at one of its paths.
  func element(at path: IndexPath) -> PipelineRow?

  /// Forgets all rows, like a view whose `reloadData()` an application calls.
  func invalidate()

  /// Compares the rows with the rows of the coordinator.
  func check() throws(WidgetModelError)

  /// Runs at each moment at which a view may call others.
  var atMoment: (Moment) -> Void { get set }
}

extension WidgetModel<PipelineRow>: ScreenWidget {
  package var isLoaded: Bool { !isInvalid }
  package func check() throws(WidgetModelError) { try check(by: ==) }
}

/// The base class of the widgets that only a fuzzer uses.
package class LateWidget: ScreenWidget {
  package final var atMoment: (Moment) -> Void = { _ in }
  private weak var coordinator: WidgetCoordinator<PipelineRow>?
  private var isLoading = false
  package private(set) final var isLoaded = false
  /// The first fault.
  private var error: WidgetModelError?

  init() {}

  /// Becomes the widget of a coordinator.
  ///
  /// - Parameter coordinator: the coordinator, which is not kept alive.
  package final func follow(_ coordinator: ListWidgetCoordinator<PipelineRow>) {
    self.coordinator = coordinator
    coordinator.widget = self as? any ListWidget
  }

  /// Becomes the widget of a coordinator.
  ///
  /// - Parameter coordinator: the coordinator, which is not kept alive.
  package final func follow(_ coordinator: OutlineCoordinator<PipelineRow>) {
    self.coordinator = coordinator
    coordinator.widget = self as? any OutlineWidget
  }

  // MARK: The rows

  /// The number of children that the widget shows at a path; nil if the widget has never asked for it.
  func loadedCount(at path: IndexPath) -> Int? { nil }

  /// The element that the widget shows at one of its paths.
  func loadedElement(at path: IndexPath) -> PipelineRow? { nil }

  /// Asks for all rows.
  func load() {}

  /// Commits a batch, and applies it to the rows.
  func apply(_ batch: ChangeSet.Batch, _ commit: () -> Void) {
    fail("a \(type(of: self)) got a batch")
    commit()
  }

  /// The number of children, by the coordinator.
  final func count(at path: IndexPath) -> Int { coordinator?.count(at: path) ?? 0 }

  /// The element at a path, by the coordinator.
  final func newElement(at path: IndexPath) -> PipelineRow? { coordinator?.element(at: path) }

  /// Whether the coordinator has no change that the widget has not received.
  final var isCurrent: Bool { coordinator?.isCurrent ?? false }

  final func fail(_ fault: String) { error = error ?? WidgetModelError(fault) }

  private func layOut() {
    // A data source that asks the widget in turn gets no counts.
    while !isLoaded, !isLoading {
      isLoading = true
      load()
      (isLoading, isLoaded) = (false, true)
      atMoment(.loaded)
    }
  }

  /// Performs an update.
  ///
  /// - Parameters:
  ///   - commit: the closure of the coordinator.
  ///   - body: commits, and changes the rows.
  final func update(_ commit: @escaping () -> Void, _ body: (_ commit: () -> Void) -> Void) {
    layOut()
    checkCounts()
    atMoment(.begun)
    body {
      commit()
      atMoment(.committed)
    }
    checkCounts()
    atMoment(.ended)
  }

  private func checkCounts() {
    for path in [[]] + paths {
      guard let shown = loadedCount(at: path) else { continue }
      let count = count(at: path)
      if shown != count { fail("it shows \(shown) children of \(Array(path)), where there are \(count)") }
    }
  }

  // MARK: As a widget

  package final func reload() { invalidate() }

  package final func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    update(commit) { apply(batch, $0) }
  }

  package func invalidate() { isLoaded = false }

  package final func shownCount(at path: IndexPath) -> Int? {
    layOut()
    return isLoading ? nil : loadedCount(at: path)
  }

  package final func element(at path: IndexPath) -> PipelineRow? { loadedElement(at: path) }

  package final var paths: [IndexPath] {
    layOut()
    var paths: [IndexPath] = []
    func add(_ path: IndexPath) {
      for position in 0..<(loadedCount(at: path) ?? 0) {
        paths.append(path.appending(position))
        add(path.appending(position))
      }
    }
    add([])
    return paths
  }

  package final func check() throws(WidgetModelError) {
    guard let coordinator else { throw WidgetModelError("the widget has no coordinator") }
    // Until the reload, the widget shows no rows where nobody knew their number.
    if !coordinator.lacksCount { checkCounts() }
    if coordinator.isCurrent {
      for path in paths where loadedElement(at: path) != coordinator.element(at: path) {
        fail("it does not show the node's child at \(Array(path))")
      }
    }
    if let error { throw error }
  }
}
