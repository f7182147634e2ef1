/// A node of the sections of a results controller, whose children are the objects.
///
/// ```swift
/// let node = ResultsNode(controller, id: \.id)
/// node[[1, 0]]                                // the first object of the second section
/// node.section(at: 1).name
/// // The controller's delegate says what happens, in the controller's own coordinates:
/// node.willChange()
/// node.note(.delete(at: [0, 2]))
/// node.note(.move(from: [0, 3], to: [1, 0]))
/// node.didChange()                            // one change: a removal, and a move from one section to the other
/// ```
///
/// The node holds a reference to each object, and so is settled at all times: until `didChange()` it shows what the
/// controller showed before. The net change follows every object: one that moves to another section, from one that is
/// deleted or into one that is inserted, is told as moved. An object that moves has changed, too: that is what a controller
/// means by it.
///
/// Events come from outside, and controllers have been known to contradict themselves. Where events do not lead to what the
/// controller shows, the node compares it with what it showed, by id, reports that difference, and hands the
/// `ResultsInconsistency` to `onInconsistency`. Nothing is lost.
///
/// Results can be looked at, and not written. Changes come from outside, so neither a rollback nor an `UndoLog` takes them back.
public final class ResultsNode<Object>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let state: Cell<State>
  let controller: any ResultsController<Object>
  let comparison: ResultsComparison<Object>

  /// Called with what does not fit, after the node has shown what the controller shows; nil by default.
  public var onInconsistency: ((ResultsInconsistency) -> Void)?

  struct State {
    var sections: [ResultsSection<Object>] = []
    /// The sections by the slots under which they are linked.
    var slots: [Int: ResultsSection<Object>] = [:]
    var nextSlot = 0
    /// The titles of the section index, and where each leads.
    var indexTitles: [(title: String, section: Int)] = []
    /// The events of the batch under way.
    var events: [ResultsEvent] = []
    var isChanging = false
    /// What was wrong with the order of the calls.
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

  /// Creates a node whose objects are told apart by an id.
  ///
  /// Where events fit, which they should, objects are compared with no others: ids serve to check what was moved, and for
  /// `refresh()`.
  ///
  /// - Parameters:
  ///   - controller: the controller, which the node keeps alive. It has loaded its contents.
  ///   - id: what tells one object from another, whatever happens to it; it must not change any node.
  ///   - areEqual: whether an object is as it was, where the contents are compared. Of objects that are changed in place
  ///     this is not known: return false, and all that stay are told as updated.
  /// - Complexity: O(n) for n objects.
  public convenience init<ID: Hashable>(
    _ controller: any ResultsController<Object>, id: @escaping (Object) -> ID,
    areEqual: @escaping (Object, Object) -> Bool
  ) {
    self.init(controller, ResultsComparison(id: { AnyHashable(id($0)) }, areEqual: areEqual))
  }

  /// Creates a node of values, which are told apart by an id, and updated where they are not equal.
  ///
  /// - Parameters:
  ///   - controller: the controller, which the node keeps alive. It has loaded its contents.
  ///   - id: what tells one object from another, whatever happens to it; it must not change any node.
  /// - Complexity: O(n) for n objects.
  public convenience init<ID: Hashable>(_ controller: any ResultsController<Object>, id: @escaping (Object) -> ID)
  where Object: Equatable {
    self.init(controller, id: id, areEqual: ==)
  }

  /// Creates a node of objects that are changed in place, each the same as long as it is one in memory.
  ///
  /// - Parameter controller: the controller, which the node keeps alive. It has loaded its contents.
  /// - Complexity: O(n) for n objects.
  public convenience init(objectsOf controller: any ResultsController<Object>) where Object: AnyObject {
    self.init(controller, id: { ObjectIdentifier($0) }, areEqual: { _, _ in false })
  }

  // MARK: Reading

  public var count: Int { state.value.sections.count }

  /// Nil: a section has no value of its own, but a name.
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

  /// The titles of the section index, such as the letters beside a long list, in order.
  ///
  /// They are the controller's, as they were when it last told of other sections. Where they are others afterwards, observers hear
  /// of the sections and objects only.
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
  /// - Parameter index: the title's place among the `sectionIndexTitles`.
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

  /// Asks the controller for the titles of the section index.
  func takeInIndexTitles() {
    // Titles that lead nowhere come from outside, as contradictory events do: they are left out.
    state.value.indexTitles = hub.refusingChanges {
      controller.sectionIndexTitles.enumerated().compactMap { index, title in
        let section = controller.section(forIndexTitle: title, at: index)
        return section >= 0 && section < count ? (title, section) : nil
      }
    }
  }
}

/// What tells objects of results apart.
struct ResultsComparison<Object> {
  let id: (Object) -> AnyHashable
  let areEqual: (Object, Object) -> Bool
}

@available(*, unavailable)
extension ResultsNode: Sendable {}
