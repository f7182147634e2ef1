public import Assemblage
public import AssemblageWidgets

/// A widget in memory, which refuses what the real ones refuse: a `ListViewModel` or an `OutlineViewModel` behind a coordinator.
///
/// With it, what stands behind a widget is tested without one:
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
/// As real ones do, it keeps what it shows, and asks for nothing else: so a forgotten update shows. It also asks as late as they
/// do: after a reload, when it next needs to know how many rows there are, at the begin of a batch at the latest.
public final class WidgetModel<Element>: ListWidget, OutlineWidget {
  /// What it shows of a row.
  struct Cell {
    var element: Element?
    var isSelected: Bool
    /// Whether it is the row that the widget is scrolled to.
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

  /// Where it is scrolled to. The row stays known while batches move it, so that `check(by:)` finds out whether the coordinator has
  /// followed it.
  public var scrollPosition: WidgetScrollPosition? {
    get { position }
    set {
      checkScrolling(to: newValue?.path)
      if isMoved, ignoresScrolling { return }
      isMoved = false
      scrollCount += 1
      if let path = pathOnTop { change(at: path) { $0.isOnTop = false } }
      position = newValue
      if let path = newValue?.path { change(at: path) { $0.isOnTop = true } }
    }
  }

  private var position: WidgetScrollPosition?
  /// Whether it has to ask for everything again before it does anything else.
  private var isInvalid = false
  /// Whether rows have moved since it was scrolled.
  private var isMoved = false

  /// Whether it stays scrolled to where it was, for the test of a test.
  package var ignoresScrolling = false

  /// How often `scrollPosition` was set.
  public private(set) var scrollCount = 0

  /// What it was asked to do, in order: `reload`, `selection`, or what a batch does.
  public private(set) var log: [String] = []

  /// Why it refused a batch, the first time.
  public private(set) var error: (any Error)?

  /// How many elements it has asked for.
  public private(set) var requestCount = 0

  /// Is called in the middle of each update, when the rows have been asked for.
  public var whileUpdating: () -> Void = {}

  /// Whether it forgets the batches of some stages, for the test of a test.
  package var forgetsStages = false
  private var stageCount = 0

  public let takesCalls: Bool
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
  /// - Parameter kind: how it takes changes: `.outline` for an `OutlineCoordinator`, one of the others for lists.
  public init(_ kind: ChangeSet.ViewKind) {
    screen = Self.emptyScreen(kind)
    self.kind = kind
    takesCalls = kind == .sequentialList
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
    invalidate()
  }

  /// Forgets what it shows, as a view does whose `reloadData()` an application calls: it asks again when it next needs to know.
  public func invalidate() {
    isInvalid = true
    screen = Self.emptyScreen(kind)
  }

  /// Asks for everything, if that is needed.
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
    scroll(to: position?.path)
    whileUpdating()
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
    commit()
    defer { if !isKept { scroll(to: wasFirst ? firstPath(like: position?.path) : position?.path) } }
    guard let source else { return }
    stageCount += 1
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
  }

  /// Whether the coordinator scrolls it with the row on top.
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

  /// Is scrolled to a path, whatever it shows there.
  private func scroll(to path: IndexPath?) {
    if let former = pathOnTop { change(at: former) { $0.isOnTop = false } }
    guard let path, shows(path) else { return position = nil }
    position?.path = path
    change(at: path) { $0.isOnTop = true }
  }

  /// Notes where the row has gone that it is scrolled to, unless it goes there too.
  private func checkScrolling(to path: IndexPath?) {
    guard isMoved, error == nil, let top = pathOnTop, top != path else { return }
    let goal = path.map { "\(Array($0))" } ?? "nowhere"
    error = WidgetModelError("the row on top is at \(Array(top)), and it is scrolled to \(goal)")
  }

  private var pathOnTop: IndexPath? {
    position == nil ? nil : paths.first { cell(at: $0)?.isOnTop == true }
  }

  /// Changes what it shows at a path, if it shows something there.
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

  /// Whether it shows something at a path.
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

  /// Checks that it shows what its coordinator says, and, where nothing is held back, what the node has.
  ///
  /// - Parameter areEqual: whether an element is shown as it is.
  /// - Throws: what is wrong, in a sentence.
  public func check(by areEqual: (Element, Element) -> Bool) throws(WidgetModelError) {
    checkScrolling(to: position?.path)
    if let error { throw WidgetModelError("\(error)") }
    guard let coordinator else { throw WidgetModelError("the widget has no coordinator") }
    func equal(_ shown: Element?, _ element: Element?) -> Bool {
      if let shown, let element { areEqual(shown, element) } else { (shown == nil) == (element == nil) }
    }
    let isCurrent = coordinator.isCurrent
    try checkCounts(coordinator)
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

  /// Checks that the coordinator answers for the rows that it shows.
  private func checkCounts(_ coordinator: WidgetCoordinator<Element>) throws(WidgetModelError) {
    // Beyond rows, a list shows nothing.
    for path in [[]] + paths where !isList || path.count < 2 {
      let count = coordinator.count(at: path)
      if self.count(at: path) != count {
        throw WidgetModelError("it shows \(self.count(at: path)) children of \(Array(path)), where there are \(count)")
      }
    }
  }

  // MARK: What it shows

  /// The element that it shows at a path.
  ///
  /// - Parameter path: a path of the widget, not [].
  /// - Returns: the element, as it was when it was asked for.
  /// - Precondition: it shows something there.
  public func element(at path: IndexPath) -> Element? { cell(at: path)?.element }

  private func cell(at path: IndexPath) -> Cell? {
    load()
    return switch screen {
    case .list(let model):
      path.count == 1 ? model.sections[path[0]].value : model.sections[path[0]].rows[path[1]]
    case .sequence(let model): path.reduce(model.root) { $0.children[$1] }.value
    }
  }

  /// All paths at which it shows something, in order.
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

  /// The paths of what it shows as selected, in order.
  public var selectedPaths: [IndexPath] { paths.filter { cell(at: $0)?.isSelected == true } }

  /// What it was asked to do since this was last called, or since it was made.
  ///
  /// - Returns: the `log`, which is empty then.
  public func takeLog() -> [String] {
    defer { log = [] }
    return log
  }
}

@available(*, unavailable)
extension WidgetModel: Sendable {}

/// What a `WidgetModel` shows that it should not.
public struct WidgetModelError: Error, CustomStringConvertible {
  /// What is wrong, in a sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
