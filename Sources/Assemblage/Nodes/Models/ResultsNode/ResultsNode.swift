/// A node whose children are the sections of a results controller, with the objects as their children.
///
/// ```swift
/// let node = ResultsNode(controller, id: \.id)
/// node[[1, 0]]                                // the first object of the second section
/// node.section(at: 1).name
/// // The controller's delegate reports the events, in the controller's own coordinates:
/// node.willChange()
/// node.note(.delete(at: [0, 2]))
/// node.note(.move(from: [0, 3], to: [1, 0]))
/// node.didChange()                            // one change: a removal, and a move from one section to the other
/// ```
///
/// The node holds a reference to each object, so the node is settled at all times. Until `didChange()`, it shows the
/// contents that the controller had before. The net change follows every object. An object that moves to another
/// section is reported as moved, even if one of the sections is deleted or inserted. An object that moves has also
/// changed: this is how controllers define a move.
///
/// The events are made outside the graph, and some controllers are known to contradict themselves. Where the events do
/// not lead to the controller's contents, the node compares these with its own contents by id. It reports the
/// difference, and passes a `ResultsInconsistency` to `onInconsistency`. Nothing is lost.
///
/// Results can be read, but not written. Their changes are made outside the graph, so neither a rollback nor an
/// `UndoLog` reverts them.
public final class ResultsNode<Object>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let state: Cell<State>
  let controller: any ResultsController<Object>
  let comparison: ResultsComparison<Object>

  /// Called with the inconsistency of a batch, after the node has adopted the controller's contents; nil by default.
  public var onInconsistency: ((ResultsInconsistency) -> Void)?

  struct State {
    var sections: [ResultsSection<Object>] = []
    /// The sections by the slots in which they are linked.
    var slots: [Int: ResultsSection<Object>] = [:]
    var nextSlot = 0
    /// The titles of the section index, and the sections that they lead to.
    var indexTitles: [(title: String, section: Int)] = []
    /// The events of the batch that has begun.
    var events: [ResultsEvent] = []
    var isChanging = false
    /// A fault in the order of the calls.
    var fault: String?
  }

  init(_ controller: any ResultsController<Object>, _ comparison: ResultsComparison<Object>) {
    self.controller = controller
    self.comparison = comparison
    state = Cell(State())
    hub.attach(to: self)
    hub.state.value.isContainer = true
    let contents = (0..<controller.numberOfSections).map { section in
      ResultsSection(
        name: controller.sectionName(at: section),
        (0..<controller.numberOfObjects(inSection: section)).map { controller.object(at: [section, $0]) })
    }
    for section in contents { link(section) }
    show(contents)
    takeInIndexTitles()
  }

  deinit {
    hub.detach()
    state.destroy()
  }

  /// Creates a node whose objects are identified by an id.
  ///
  /// Where the events are consistent, as they should be, objects are not compared with one another. Then the ids only
  /// serve to check objects that changed or moved. `refresh()` always compares by id.
  ///
  /// - Parameters:
  ///   - controller: the controller, which has loaded its contents. The node keeps the controller alive.
  ///   - id: returns the id of an object, which stays the same when the object changes. The closure must not change any
  ///     node.
  ///   - areEqual: returns whether an object is unchanged, where all contents are compared. For objects that change in
  ///     place, this cannot be known: return false. Then every object that stays is reported as updated.
  /// - Complexity: O(n) for n objects.
  public convenience init<ID: Hashable>(
    _ controller: any ResultsController<Object>, id: @escaping (Object) -> ID,
    areEqual: @escaping (Object, Object) -> Bool
  ) {
    self.init(controller, ResultsComparison(id: { AnyHashable(id($0)) }, areEqual: areEqual))
  }

  /// Creates a node of values, which are identified by an id and updated where they are not equal.
  ///
  /// - Parameters:
  ///   - controller: the controller, which has loaded its contents. The node keeps the controller alive.
  ///   - id: returns the id of an object, which stays the same when the object changes. The closure must not change any
  ///     node.
  /// - Complexity: O(n) for n objects.
  public convenience init<ID: Hashable>(_ controller: any ResultsController<Object>, id: @escaping (Object) -> ID)
  where Object: Equatable {
    self.init(controller, id: id, areEqual: ==)
  }

  /// Creates a node of objects that change in place, and are identified by their references.
  ///
  /// - Parameter controller: the controller, which has loaded its contents. The node keeps the controller alive.
  /// - Complexity: O(n) for n objects.
  public convenience init(objectsOf controller: any ResultsController<Object>) where Object: AnyObject {
    self.init(controller, id: { ObjectIdentifier($0) }, areEqual: { _, _ in false })
  }

  // MARK: Reading

  public var count: Int { state.value.sections.count }

  /// Returns nil: a section has a name, but no value.
  public func element(at position: Int) -> Object? { nil }

  public func child(at position: Int) -> (any TreeNode<Object>)? {
    state.value.sections.indices.contains(position) ? state.value.sections[position] : nil
  }

  /// The node of a section.
  ///
  /// - Parameter position: `0..<count`.
  /// - Returns: the section.
  /// - Complexity: O(1).
  public func section(at position: Int) -> ResultsSection<Object> {
    checkPosition(position, in: count, of: "ResultsNode")
    return state.value.sections[position]
  }

  /// The titles of the section index in order, for example the letters beside a long list.
  ///
  /// The titles are read from the controller when the list of section names changes. Where the titles differ then,
  /// observers receive only the changes of sections and objects.
  ///
  /// ```swift
  /// // Sections "apples", "artichokes", "beans":
  /// node.sectionIndexTitles                     // ["A", "B"]
  /// node.section(forIndexTitleAt: 1)            // 2
  /// ```
  ///
  /// - Complexity: O(t) for t titles.
  public var sectionIndexTitles: [String] { state.value.indexTitles.map { $0.title } }

  /// The section to which a title of the section index leads.
  ///
  /// - Parameter index: the title's position among the `sectionIndexTitles`.
  /// - Returns: the section's position, `0..<count`.
  /// - Complexity: O(1).
  public func section(forIndexTitleAt index: Int) -> Int {
    checkPosition(index, in: state.value.indexTitles.count, of: "ResultsNode's section index titles")
    return state.value.indexTitles[index].section
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Object>) -> Void) {
    checkRange(range, in: count, of: "ResultsNode")
  }

  func position(ofChildInSlot slot: Int) -> Int? { state.value.slots[slot]!.ordinal }

  // MARK: Sections

  func link(_ section: ResultsSection<Object>) {
    hub.link(section, slot: state.value.nextSlot)
    section.slot = state.value.nextSlot
    state.value.slots[section.slot] = section
    state.value.nextSlot += 1
  }

  func unlink(_ section: ResultsSection<Object>) {
    hub.unlink(slot: section.slot)
    state.value.slots[section.slot] = nil
  }

  func show(_ sections: [ResultsSection<Object>]) {
    state.value.sections = sections
    for (ordinal, section) in sections.enumerated() { section.ordinal = ordinal }
  }

  /// Reads the titles of the section index from the controller.
  func takeInIndexTitles() {
    // Titles that lead to no section are left out: a controller may contradict itself here, too.
    state.value.indexTitles = hub.refusingChanges {
      controller.sectionIndexTitles.enumerated().compactMap { index, title in
        let section = controller.section(forIndexTitle: title, at: index)
        return section >= 0 && section < count ? (title, section) : nil
      }
    }
  }
}

/// Identifies and compares the objects of results.
struct ResultsComparison<Object> {
  let id: (Object) -> AnyHashable
  let areEqual: (Object, Object) -> Bool
}

@available(*, unavailable)
extension ResultsNode: Sendable {}
