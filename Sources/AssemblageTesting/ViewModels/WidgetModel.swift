public import Assemblage
public import AssemblageWidgets

/// A widget in memory: a `ListViewModel` or an `OutlineViewModel` behind a coordinator.
///
/// The model refuses the same batches as a real widget. So the nodes and coordinators behind a widget can be tested
/// without a real widget:
///
/// ```swift
/// let names = ArrayNode(["Bob", "Ada"])
/// let widget = WidgetModel<String>(.list)
/// let coordinator = ListCoordinator(SortNode(names, by: <))
/// widget.follow(coordinator)
/// names.append("Al")
/// widget.log.last                       // "inserts [0, 1]"
/// widget.element(at: [0, 1])            // "Al"
/// ```
///
/// Like a real widget, the model keeps its rows, and asks only for new and reloaded rows: so a forgotten update becomes
/// visible. It also asks as late as a real widget. After a reload, the model asks when it next needs the number of
/// rows, at the latest at the beginning of a batch.
public final class WidgetModel<Element>: ListWidget, OutlineWidget {
  /// The contents of a row that the widget shows.
  struct Cell {
    var element: Element?
    var isSelected: Bool
    /// Whether the widget is scrolled to this row.
    var isOnTop = false
  }

  private enum Screen {
    case list(ListViewModel<Cell>)
    case sequence(OutlineViewModel<Cell>)
  }

  private var screen: Screen
  private weak var coordinator: WidgetCoordinator<Element>?
  private var source: ViewDataSource<Cell>?
  private var isSelected: (IndexPath) -> Bool = { _ in false }

  /// The row to which the widget is scrolled. This row stays known while batches move it, so that `check(by:)` finds
  /// out whether the coordinator has followed the row.
  public var scrollPosition: WidgetScrollPosition? {
    get { position }
    set {
      checkScrolling(to: newValue?.path)
      if isMoved, ignoresScrolling { return }
      (isMoved, laterStages) = (false, ChangeSet())
      scrollCount += 1
      if let path = pathOnTop { change(at: path) { $0.isOnTop = false } }
      position = newValue
      if let path = newValue?.path { change(at: path) { $0.isOnTop = true } }
    }
  }

  private var position: WidgetScrollPosition?
  /// Whether the widget has to ask for all rows again before it does anything else.
  package private(set) var isInvalid = false
  /// Whether rows have moved since the widget was scrolled.
  private var isMoved = false
  /// What the later stages of the present update change.
  private var laterStages = ChangeSet()

  /// Whether the widget ignores a new scroll position after rows have moved, for the test of a test.
  package var ignoresScrolling = false

  /// How often `scrollPosition` was set.
  public private(set) var scrollCount = 0

  /// The requests to the widget, in order: `reload`, `selection`, or the description of a batch.
  public private(set) var log: [String] = []

  /// The first error: a batch that the widget refused, a wrong count, or a row on top that the coordinator lost.
  public private(set) var error: (any Error)?

  /// How many elements the widget has asked for.
  public private(set) var requestCount = 0

  /// Runs in the middle of each update, after the widget has asked for the rows.
  public var whileUpdating: () -> Void = {}

  /// A moment at which a view may call its data source, its delegate and the application.
  package enum Moment: Sendable {
    /// All rows were asked for.
    case loaded
    /// An update begins.
    case begun
    /// The coordinator answers for the rows after the update. The widget has not changed its own rows yet.
    case committed
    /// The update ends.
    case ended
  }

  /// Runs at each moment, for a fuzzer.
  package var atMoment: (Moment) -> Void = { _ in }

  /// Whether the widget forgets the batches of some stages, for the test of a test.
  package var forgetsStages = false
  private var stageCount = 0

  public let isSequential: Bool
  private let isList: Bool
  private let kind: ChangeSet.ViewKind

  private static func emptyScreen(_ kind: ChangeSet.ViewKind) -> Screen {
    switch kind {
    case .list: .list(ListViewModel(TreeSnapshot()))
    case .sequentialList, .outline: .sequence(OutlineViewModel(TreeSnapshot()))
    }
  }

  /// Creates a widget that shows nothing.
  ///
  /// - Parameter kind: how the widget takes changes: `.outline` for an `OutlineCoordinator`, another kind for lists.
  public init(_ kind: ChangeSet.ViewKind) {
    screen = Self.emptyScreen(kind)
    self.kind = kind
    isSequential = kind == .sequentialList
    isList = kind != .outline
  }

  /// Becomes the widget of a coordinator.
  ///
  /// - Parameter coordinator: the coordinator, which is not kept alive.
  public func follow(_ coordinator: ListWidgetCoordinator<Element>) {
    ask(coordinator)
    coordinator.widget = self
  }

  /// Becomes the widget of a coordinator.
  ///
  /// - Parameter coordinator: the coordinator, which is not kept alive.
  public func follow(_ coordinator: OutlineCoordinator<Element>) {
    ask(coordinator)
    coordinator.widget = self
  }

  private func ask(_ coordinator: WidgetCoordinator<Element>) {
    self.coordinator = coordinator
    isSelected = { [unowned coordinator] in coordinator.isSelected(at: $0) }
    source = ViewDataSource(
      count: { [unowned coordinator] in coordinator.count(at: $0) },
      value: { [unowned coordinator, unowned self] path in
        requestCount += 1
        return Cell(element: coordinator.element(at: path), isSelected: isSelected(path))
      })
  }

  // MARK: As a widget

  public func reload() {
    log.append("reload")
    laterStages = ChangeSet()
    invalidate()
  }

  /// Forgets all rows, like a view whose `reloadData()` an application calls.
  ///
  /// The widget asks again when it next needs the rows.
  public func invalidate() {
    isInvalid = true
    screen = Self.emptyScreen(kind)
  }

  /// Asks for all rows, if that is needed.
  private func load() {
    guard isInvalid, let source else { return }
    isInvalid = false
    isMoved = false
    switch screen {
    case .list(var model):
      model.reload(from: source)
      screen = .list(model)
    case .sequence(var model):
      model.reload(from: source)
      screen = .sequence(model)
    }
    // A widget that reloads between two stages no longer knows the row on top. The coordinator still does.
    if laterStages.isEmpty {
      scroll(to: position?.path)
    } else if let path = position?.path, !shows(path) {
      position = nil
    }
    whileUpdating()
    atMoment(.loaded)
    load()
  }

  public func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    load()
    log.append(batch.description)
    // All stages of an update keep the row on top, or none does.
    let (isKept, wasFirst) = (isMoved || keepsPosition, position.map { isFirst($0.path) } ?? false)
    if isKept { isMoved = true }
    // Real views count before a batch, too.
    if let coordinator, error == nil, !forgetsStages {
      do { try checkCounts(coordinator) } catch { self.error = error }
    }
    atMoment(.begun)
    commit()
    atMoment(.committed)
    defer { if !isKept { scroll(to: wasFirst ? firstPath(like: position?.path) : position?.path) } }
    guard let source else { return }
    stageCount += 1
    laterStages = batch.remaining
    if !(forgetsStages && stageCount.isMultiple(of: 3)) {
      do {
        switch screen {
        case .list(var model):
          try model.perform(batch, from: source)
          screen = .list(model)
        case .sequence(var model):
          try model.perform(batch, from: source)
          screen = .sequence(model)
        }
      } catch { self.error = self.error ?? error }
    }
    whileUpdating()
    atMoment(.ended)
  }

  /// Whether the coordinator scrolls the widget along with the row on top.
  private var keepsPosition: Bool {
    switch coordinator?.keepsPosition {
    case .never: false
    case .unlessAtTop: position.map { $0.offset < 0 || !isFirst($0.path) } ?? true
    case .always, nil: true
    }
  }

  private func isFirst(_ path: IndexPath) -> Bool { firstPath(like: path) == path }

  /// The path of the first row, or, for the path of a section, of the first section.
  private func firstPath(like path: IndexPath?) -> IndexPath? {
    isList && path?.count == 2 ? paths.first { $0.count == 2 } : count(at: []) > 0 ? [0] : nil
  }

  /// Scrolls to a path, whatever row is there.
  private func scroll(to path: IndexPath?) {
    if let former = pathOnTop { change(at: former) { $0.isOnTop = false } }
    // A widget that loaded its rows meanwhile may have lost its place.
    guard let path, position != nil, shows(path) else { return position = nil }
    position?.path = path
    change(at: path) { $0.isOnTop = true }
  }

  /// Notes an error if the row on top has moved, and the widget is not scrolled to the row's present place.
  private func checkScrolling(to path: IndexPath?) {
    // A widget that has forgotten its rows does not know the row on top.
    load()
    guard isMoved, error == nil, let top = pathOnTop, top != path else { return }
    // An update that was interrupted scrolls to a neighbour of a row that a later stage would have removed.
    guard let after = laterStages.path(after: top), !isList || after.count == top.count else { return }
    let goal = path.map { "\(Array($0))" } ?? "nowhere"
    error = WidgetModelError("the row on top is at \(Array(top)), and it is scrolled to \(goal)")
  }

  private var pathOnTop: IndexPath? {
    position == nil ? nil : paths.first { cell(at: $0)?.isOnTop == true }
  }

  /// Changes the cell at a path, if the widget shows that path.
  private func change(at path: IndexPath, _ body: (inout Cell) -> Void) {
    guard shows(path) else { return }
    func changed(_ cell: Cell?) -> Cell? {
      cell.map {
        var cell = $0
        body(&cell)
        return cell
      }
    }
    switch screen {
    case .list(var model):
      if path.count == 1 {
        model.sections[path[0]].value = changed(model.sections[path[0]].value)
      } else if path.count == 2 {
        model.sections[path[0]].rows[path[1]] = changed(model.sections[path[0]].rows[path[1]])
      }
      screen = .list(model)
    case .sequence(var model):
      func descend(_ item: inout OutlineViewModel<Cell>.Item, _ rest: IndexPath) {
        guard let first = rest.first else { return item.value = changed(item.value) }
        descend(&item.children[first], rest.dropFirst())
      }
      if !path.isEmpty { descend(&model.root, path) }
      screen = .sequence(model)
    }
  }

  public func showSelection() {
    log.append("selection")
    load()
    switch screen {
    case .list(var model):
      for section in model.sections.indices {
        for row in model.sections[section].rows.indices {
          model.sections[section].rows[row]?.isSelected = isSelected([section, row])
        }
      }
      screen = .list(model)
    case .sequence(var model):
      select(&model.root, at: [])
      screen = .sequence(model)
    }
  }

  private func select(_ item: inout OutlineViewModel<Cell>.Item, at path: IndexPath) {
    for position in item.children.indices {
      let path = path.appending(position)
      item.children[position].value?.isSelected = isSelected(path)
      select(&item.children[position], at: path)
    }
  }

  public func shownCount(at path: IndexPath) -> Int? {
    load()
    return shows(path) ? count(at: path) : nil
  }

  /// Whether the widget shows a path.
  private func shows(_ path: IndexPath) -> Bool {
    path.indices.allSatisfy { path[$0] < count(at: path[..<$0]) }
  }

  private func count(at path: IndexPath) -> Int {
    load()
    return switch screen {
    case .list(let model): model.count(at: path)
    case .sequence(let model): model.count(at: path)
    }
  }

  // MARK: Checking

  /// Checks that the widget shows the rows of its coordinator, and, where no change is held back, the rows of the node.
  ///
  /// - Parameter areEqual: returns whether a shown element equals the node's element.
  /// - Throws: an error that describes the fault in one sentence.
  public func check(by areEqual: (Element, Element) -> Bool) throws(WidgetModelError) {
    checkScrolling(to: position?.path)
    if let error { throw WidgetModelError("\(error)") }
    guard let coordinator else { throw WidgetModelError("the widget has no coordinator") }
    func equal(_ shown: Element?, _ element: Element?) -> Bool {
      if let shown, let element { areEqual(shown, element) } else { (shown == nil) == (element == nil) }
    }
    let isCurrent = coordinator.isCurrent
    // Until the reload, the widget shows no rows where nobody knew their number.
    if !coordinator.lacksCount { try checkCounts(coordinator) }
    for path in [[]] + paths {
      // The only section of a list without sections is no child of the node.
      guard let own = coordinator.nodePath(of: path), !own.isEmpty else { continue }
      guard coordinator.widgetPath(of: own) == path else {
        throw WidgetModelError(
          "the row at \(Array(path)) is at \(Array(own)) in the node, but the node's row is at another path in the widget"
        )
      }
      if isCurrent, !equal(element(at: path), coordinator.node.element(at: own)) {
        throw WidgetModelError("it does not show the node's child at \(Array(own))")
      }
    }
    if isCurrent, selectedPaths != coordinator.selectedPaths {
      throw WidgetModelError("it shows \(selectedPaths) as selected instead of \(coordinator.selectedPaths)")
    }
  }

  /// Checks that the coordinator's counts are the counts that the widget shows.
  private func checkCounts(_ coordinator: WidgetCoordinator<Element>) throws(WidgetModelError) {
    // Below rows, a list shows nothing.
    for path in [[]] + paths where !isList || path.count < 2 {
      let count = coordinator.count(at: path)
      if self.count(at: path) != count {
        throw WidgetModelError("it shows \(self.count(at: path)) children of \(Array(path)), where there are \(count)")
      }
    }
  }

  // MARK: Contents

  /// The element that the widget shows at a path.
  ///
  /// - Parameter path: a path of the widget, not [].
  /// - Returns: the element, as it was when the widget asked for it.
  /// - Precondition: the widget shows this path.
  public func element(at path: IndexPath) -> Element? { cell(at: path)?.element }

  private func cell(at path: IndexPath) -> Cell? {
    load()
    return switch screen {
    case .list(let model):
      path.count == 1 ? model.sections[path[0]].value : model.sections[path[0]].rows[path[1]]
    case .sequence(let model): path.reduce(model.root) { $0.children[$1] }.value
    }
  }

  /// All paths that the widget shows, in order.
  public var paths: [IndexPath] {
    var paths: [IndexPath] = []
    func add(_ path: IndexPath) {
      if case .list = screen, path.count == 2 { return }
      for position in 0..<count(at: path) {
        paths.append(path.appending(position))
        add(path.appending(position))
      }
    }
    add([])
    return paths
  }

  /// The paths that the widget shows as selected, in order.
  public var selectedPaths: [IndexPath] { paths.filter { cell(at: $0)?.isSelected == true } }

  /// Returns the requests to the widget since the last call, or since the widget was made.
  ///
  /// - Returns: the `log`, which is empty afterwards.
  public func takeLog() -> [String] {
    defer { log = [] }
    return log
  }
}

@available(*, unavailable)
extension WidgetModel: Sendable {}

/// Reports a fault of a `WidgetModel`, or of the coordinator behind it.
public struct WidgetModelError: Error, CustomStringConvertible {
  /// The fault, in one sentence.
  public let description: String

  package init(_ description: String) { self.description = description }
}
