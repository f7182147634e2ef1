@_spi(NodeAuthors) import Assemblage
package import AssemblageTesting
package import AssemblageWidgets

/// The ways in which the view and the delegate of a screen make work for a coordinator.
package struct ScreenManners: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// At each moment, they ask for rows of all kinds, also for rows that do not exist.
  static let asks = Self(rawValue: 1)
  /// When the view asks for rows, the data source changes some nodes. It changes none while the view counts its rows.
  static let edits = Self(rawValue: 2)
  /// When rows were selected, deselected or edited, the delegate changes nodes.
  static let editsAfterwards = Self(rawValue: 4)
  /// At the end of some updates, the application calls `reloadData()` of the view.
  static let invalidates = Self(rawValue: 8)
  /// At some moments, the application lets the coordinator reload.
  static let reloads = Self(rawValue: 16)
  /// At some moments, the application holds updates back, or ends this.
  static let suspends = Self(rawValue: 32)
  /// At some moments, the user selects rows.
  static let selects = Self(rawValue: 64)
  /// The delegate refuses the selection of some rows.
  static let refuses = Self(rawValue: 128)

  /// The number of sets of manners.
  static let limit = 256
}

/// The user, the view and the delegate of a screen, at their worst.
///
/// The user may write everywhere. Each question has a constant answer.
package final class ScreenUser: EditingBehavior, DeletionBehavior, MovingBehavior, SelectionBehavior {
  private let manners: ScreenManners
  private let reacts: () -> Void
  private var generator: SeededGenerator
  private weak var widget: (any ScreenWidget)?
  private weak var coordinator: WidgetCoordinator<PipelineRow>?
  private var isAsking = false
  /// Whether the view is between the beginning of an update and its new count of the rows.
  private var isCounting = false
  private(set) var isSuspending = false
  /// Whether nodes are changed in the middle of an update: by the data source, or by the delegate where the user selects
  /// rows at such a moment.
  var editsInUpdates: Bool { manners.contains(.edits) || manners.isSuperset(of: [.selects, .editsAfterwards]) }
  /// Whether the view calls at the moment, so that its coordinator can get no other widget or node.
  var isCalled: Bool { callCount > 0 }
  private var callCount = 0
  /// The first fault.
  private var fault: String?

  /// The place of the last question about a write.
  var place: NodePlace?
  /// For the test of a test: the position at which rows are deleted.
  var wrongPosition: Int?

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - manners: the ways of the view and of the delegate.
  ///   - seed: decides the moments.
  ///   - reacts: changes nodes.
  package init(_ manners: ScreenManners = [], seed: Int = 0, reacts: @escaping () -> Void = {}) {
    self.manners = manners
    self.reacts = reacts
    generator = SeededGenerator(seed: UInt64(seed))
  }

  /// Uses a widget of a coordinator.
  package func use(_ widget: any ScreenWidget, of coordinator: WidgetCoordinator<PipelineRow>) {
    self.widget = widget
    self.coordinator = coordinator
    // The closure `reacts` may release the user, and the view and its coordinator still finish their update.
    coordinator.behaviors = { [weak self] _ in self.map { [$0] } ?? [] }
    widget.atMoment = { [weak self] in self?.pass($0) }
  }

  /// Throws the first fault.
  package func check() throws(WidgetModelError) {
    if let fault { throw WidgetModelError(fault) }
  }

  private func fail(_ sentence: String) { fault = fault ?? sentence }

  // MARK: Moments

  private func pass(_ moment: ScreenWidget.Moment) {
    guard let coordinator, let widget else { return }
    callCount += 1
    defer { callCount -= 1 }
    if moment == .begun { isCounting = true }
    if moment == .ended { isCounting = false }
    if manners.contains(.asks) { ask(coordinator, widget) }
    // Each draw belongs to one of the manners, so that a script can lose one of them.
    if manners.contains(.edits), generator.chance(1, in: 3) { react() }
    if manners.contains(.reloads), generator.chance(1, in: 8) { coordinator.reload() }
    if manners.contains(.suspends), generator.chance(1, in: 4) { setSuspending(!isSuspending) }
    if manners.contains(.selects), generator.chance(1, in: 3) { select(coordinator) }
    if manners.contains(.invalidates), moment == .ended, generator.chance(1, in: 3) { widget.invalidate() }
  }

  private func react() { if !isCounting { reacts() } }

  /// Holds the updates of the coordinator back, or ends this.
  package func setSuspending(_ isSuspending: Bool) {
    if self.isSuspending == isSuspending { return }
    self.isSuspending = isSuspending
    if isSuspending { coordinator?.suspend() } else { coordinator?.resume() }
  }

  /// Asks all questions of a data source and a delegate, from the last row to the first one.
  private func ask(_ coordinator: WidgetCoordinator<PipelineRow>, _ widget: any ScreenWidget) {
    if isAsking { return }
    isAsking = true
    let former = place
    defer { (isAsking, place) = (false, former) }
    var paths = widget.paths
    paths += paths.map { $0.dropLast().appending($0.last! + 1) } + [[7], [0, 7]]
    let selected = coordinator.selectedPaths
    for path in paths.reversed() {
      let count = coordinator.count(at: path)
      if count < 0 { fail("there are \(count) children of \(Array(path))") }
      _ = coordinator.element(at: path)
      _ = coordinator.isSelected(at: path)
      _ = coordinator.canSelect(at: path)
      _ = coordinator.canDeselect(at: path)
      _ = coordinator.canDelete(at: path)
      _ = coordinator.canMove(path, into: path.dropLast(), at: 0)
      _ = coordinator.canSetExpanded(true, at: path)
      _ = (coordinator as? ListWidgetCoordinator<PipelineRow>)?.header(ofSection: path[0])
      guard let own = coordinator.nodePath(of: path) else { continue }
      let shown = coordinator.widgetPath(of: own)
      if !own.isEmpty, shown != path { fail("the row \(Array(path)) is at \(shown.map(Array.init) as Any)") }
    }
    if selected != coordinator.selectedPaths { fail("the questions have changed the selection") }
  }

  private func select(_ coordinator: WidgetCoordinator<PipelineRow>) {
    guard let path = randomPath(coordinator) else { return }
    let effect = [SelectionEffect.only, .adding, .extending, .toggling][Int.random(in: 0..<4, using: &generator)]
    coordinator.select(at: path, effect)
  }

  private func randomPath(_ coordinator: WidgetCoordinator<PipelineRow>) -> IndexPath? {
    var path = IndexPath()
    while path.count < 4 {
      let count = coordinator.count(at: path)
      if count == 0 { break }
      path.append(Int.random(in: 0..<count, using: &generator))
      if path.count > 1, generator.chance(1, in: 2) { break }
    }
    return path.isEmpty ? nil : path
  }

  // MARK: The delegate

  private func note(_ place: NodePlace) -> Bool {
    self.place = place
    return true
  }

  package func allowsDeletion(at place: NodePlace) -> Bool { note(place) }
  package func allowsEditing(at place: NodePlace) -> Bool { note(place) }
  package func allowsMoving(from place: NodePlace) -> Bool { note(place) }

  package func delete(at place: NodePlace) {
    let position = wrongPosition ?? place.position
    func remove<Node: TreeNode>(from node: Node) {
      if position < node.count { node.writer?.removeChild(at: position) }
    }
    remove(from: place.node)
  }

  package func shouldSelect(at place: NodePlace) -> Bool { allows(place) }
  package func shouldDeselect(at place: NodePlace) -> Bool { allows(place) }

  private func allows(_ place: NodePlace) -> Bool {
    check(place)
    return !manners.contains(.refuses) || !place.position.isMultiple(of: 3)
  }

  package func didSelect(at place: NodePlace) { follow(place) }
  package func didDeselect(at place: NodePlace) { follow(place) }
  package func didEdit(at place: NodePlace) { if manners.contains(.editsAfterwards) { react() } }

  private func follow(_ place: NodePlace) {
    check(place)
    if manners.contains(.editsAfterwards) { react() }
  }

  private func check(_ place: NodePlace) {
    if !(0..<place.node.count).contains(place.position) {
      fail("the delegate got the place \(place.position) of a node with \(place.node.count) children")
    }
  }
}

@available(*, unavailable)
extension ScreenUser: Sendable {}
