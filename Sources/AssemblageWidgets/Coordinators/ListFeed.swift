import Assemblage
import Foundation

/// Feeds a list widget with what changes in a node: the engine of the coordinators of lists.
///
/// ```text
///     what the widget shows  —batch.remaining→  the node when the update began  —gap→  the node now
/// ```
///
/// Every answer goes from the left to the right: a path leads to the element that the widget shows there, and where that has
/// left the node already, to nothing.
final class ListFeed<Element> {
  /// Whether the node's children are the rows of one section, or sections.
  enum Shape { case flat, sectioned }

  private(set) var node: any TreeNode<Element>
  private let shape: Shape
  weak var widget: (any ListWidget)? { didSet { restart() } }
  /// The largest number of rows and sections that an update changes one by one; nil: any number.
  var reloadLimit: Int?

  private var observation: NodeObservation?
  private var gap = ChangeSetComposer()
  private var batch: ChangeSet.Batch?
  private var isUpdating = false
  private var suspensionCount = 0
  private var reloadsNext = false
  /// Whether the widget shows rows of another node, because it has not reloaded since.
  private var isStale = false

  init(_ node: any TreeNode<Element>, _ shape: Shape) {
    self.node = node
    self.shape = shape
    observe()
  }

  deinit { observation?.cancel() }

  private func observe() {
    observation = node.observe { [unowned self] change in
      note(change)
      update()
    }
  }

  private func note(_ change: ChangeSet) {
    // What nobody shows will be asked for as a whole.
    if widget == nil { return }
    // What happens below rows is no business of a list, nor is the node's own value.
    var change = change
    change.updatesValue = false
    gap.append(shape == .flat ? ChangeSet(change.delta).wrapped(at: 0) : change)
  }

  /// Everything that the widget does not know yet.
  private var remaining: ChangeSet {
    if gap.isEmpty { return ChangeSet() }
    let change = gap.net()
    gap.append(change)
    return change
  }

  // MARK: Updating

  /// Brings the widget up to date, if it may be.
  func update() {
    guard !isUpdating, suspensionCount == 0, let widget else { return }
    isUpdating = true
    defer { isUpdating = false }
    var rounds = 0
    while reloadsNext || !gap.isEmpty {
      rounds += 1
      if rounds > Self.roundLimit {
        fatalError("A \(type(of: widget)) changed its node \(Self.roundLimit) times while it was brought up to date.")
      }
      let change = gap.net()
      show(change, on: widget)
    }
  }

  /// How often a widget may change its node while it is updated, before that counts as a loop that never ends.
  private static var roundLimit: Int { 1_000 }

  private func show(_ change: ChangeSet, on widget: any ListWidget) {
    // Of another node, nothing that was visible stays.
    let position = isStale ? nil : widget.scrollPosition
    var stages: [ChangeSet.Stage] = [.reload]
    if reloadsNext {
      reloadsNext = false
      isStale = false
    } else {
      stages = change.stages(reloadingAbove: reloadLimit) { widget.shownCount(at: $0) }
    }
    if stages.isEmpty { return }
    let goal = position.flatMap { position in
      survivor(of: position.path, in: change, on: widget).map {
        ScrollPosition(path: $0, offset: $0 == change.path(after: position.path) ? position.offset : 0)
      }
    }
    for stage in stages {
      switch stage {
      case .reload: widget.reload()
      case .batch(let next):
        batch = next
        widget.perform(next)
      }
    }
    batch = nil
    if let goal { widget.scrollPosition = goal }
  }

  /// The place after a change of a row, or, where it leaves, of the next one that stays, or of the one before.
  private func survivor(of path: IndexPath, in change: ChangeSet, on widget: any ListWidget) -> IndexPath? {
    if let path = change.path(after: path) { return path.count == 2 ? path : nil }
    func neighbor(_ position: Int, _ delta: Delta, _ count: Int) -> Int? {
      guard let range = delta.removals.first(where: { $0.contains(position) }) else { return nil }
      return range.upperBound < count ? range.upperBound : range.lowerBound > 0 ? range.lowerBound - 1 : nil
    }
    guard let section = change.path(after: path.dropLast()), section.count == 1 else {
      let next = neighbor(path[0], change.delta, widget.shownCount(at: []))
      return next.flatMap { change.path(after: [$0, 0]) }
    }
    guard let delta = change.children.first(where: { $0.position == section[0] })?.delta else { return nil }
    let next = neighbor(path[1], delta, widget.shownCount(at: path.dropLast()))
    return next.flatMap { change.path(after: [path[0], $0]) }
  }

  // MARK: Holding back

  func suspend() { suspensionCount += 1 }

  func resume() {
    if suspensionCount == 0 { fatalError("A coordinator was resumed that was not suspended.") }
    suspensionCount -= 1
    update()
  }

  func reload() {
    reloadsNext = true
    update()
  }

  /// Runs a transaction of the node that the widget does not follow change by change, but reloads behind.
  func reloading<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    suspensionCount += 1
    defer {
      suspensionCount -= 1
      reload()
    }
    return try node.performUpdates(body)
  }

  // MARK: Other nodes

  /// Shows another node.
  ///
  /// - Parameters:
  ///   - other: the node.
  ///   - change: leads from the contents of the one shown now to those of the other; nil: the widget reloads.
  func show(_ other: any TreeNode<Element>, after change: ChangeSet?) {
    observation?.cancel()
    node = other
    observe()
    if let change {
      note(change)
      update()
    } else {
      restart()
    }
  }

  /// Lets the widget reload, because what it shows has nothing to do with the node.
  private func restart() {
    gap = ChangeSetComposer()
    isStale = widget != nil
    reload()
  }

  // MARK: What the widget asks for

  /// How many sections, or rows of a section, are at a path that the widget shows.
  func count(at path: IndexPath) -> Int {
    guard let batch else { return countBeforeGap(at: path) }
    return batch.count(of: path, finalCount: countBeforeGap)
  }

  private func countBeforeGap(at path: IndexPath) -> Int {
    func count(_ path: IndexPath) -> Int {
      switch shape {
      case .flat: path.isEmpty ? 1 : node.count
      case .sectioned: path.isEmpty ? node.count : node.child(at: path[0])?.count ?? 0
      }
    }
    if isStale, let widget {
      // It may show nothing yet.
      return path.isEmpty || path[0] < widget.shownCount(at: []) ? widget.shownCount(at: path) : 0
    }
    if gap.isEmpty { return count(path) }
    let change = remaining
    if path.isEmpty { return count(path) - change.delta.countChange }
    guard let section = change.path(after: path), section.count == 1 else {
      // The section has gone, and with it what the node knew.
      return widget?.shownCount(at: path) ?? 0
    }
    let delta = change.children.first { $0.position == section[0] }?.delta ?? Delta()
    return count(section) - delta.countChange
  }

  /// The path in the node of what the widget shows at a path; nil where that has left.
  func nodePath(of path: IndexPath) -> IndexPath? {
    if isStale { return nil }
    var result: IndexPath? = path
    if let batch { result = batch.finalPath(of: path) }
    if !gap.isEmpty, let path = result { result = remaining.path(after: path) }
    guard let result else { return nil }
    return shape == .flat ? result.dropFirst() : result
  }

  /// The path at which the widget shows what is at a path of the node; nil where it shows that not yet.
  func widgetPath(of path: IndexPath) -> IndexPath? {
    if isStale { return nil }
    var result: IndexPath? = shape == .flat ? IndexPath(index: 0).appending(path) : path
    if !gap.isEmpty { result = result.flatMap { remaining.path(before: $0) } }
    if let batch { result = result.flatMap { batch.remaining.path(before: $0) } }
    return result
  }

  func element(at path: IndexPath) -> Element? {
    guard let path = nodePath(of: path) else { return nil }
    return path.isEmpty ? node.value : node.element(at: path)
  }
}
