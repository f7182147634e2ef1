import Observation
import Synchronization

/// Reports the elements of a node that have changed by themselves, where these are `@Observable` objects.
///
/// ```swift
/// // @Observable final class Person { var name: String; … }
/// let people = ArrayNode([ada, grace])
/// let short = FilterNode(people) { $0.name.count < 5 }
/// let tracker = ElementTracker(of: people) { $0.name }
/// grace.name = "Mary"         // short shows her when the main actor is free again
/// tracker.refresh()            // or now
/// ```
///
/// The closure reads the properties by which a view shows, sorts or filters an element; often this is the closure of
/// the view. When one of these properties changes, the node that holds the element reports an update, and every view of
/// the node follows: a filter asks again, a sort moves the row. Other properties, and other elements, cost nothing. An
/// element at any depth is followed, for as long as it is in the node, and in all its places.
///
/// Observation notifies the tracker before a change is made, on the thread that makes the change. So the tracker only
/// notes the element. The nodes report the update on the first of three occasions: before the next edit of a source, a
/// predicate or a segment; when the actor to which they belong starts its next task; when `refresh()` is called. All
/// notes up to then are reported in one transaction. Until then the element itself has changed, and its row stays at
/// its position. Objects that another thread changes need an `IdentityIndex` and a stream of their ids instead: a
/// change that is being made there cannot be read yet.
///
/// These updates are not undone with an edit: an `UndoLog` does not record them, and a rollback keeps them. A node
/// whose children cannot be written reports nothing, except a source of the library itself, for example a
/// `ProviderNode`.
///
/// Two kinds of change are missed:
/// - a change of a property whose `willSet` edits a node of the graph, which is reported before the new value is there;
/// - a change of an element that a `MapNode` makes and no source holds, in a transaction that has edited a source:
///   sorts have placed the new rows before the report.
///
/// The node is kept alive, and tracking ends with the tracker. Even after that, an object keeps a small note until the
/// property changes next.
///
/// - Complexity: an element that arrives costs O(log n), one call of the closure and one tracking of Observation. So
///   does each change of the element; `benchmark --suite tracking` measures both. Other changes of the node cost as
///   much as with an `IdentityIndex`.
public final class ElementTracker<Element: AnyObject> {
  /// The node whose elements are followed.
  let node: any TreeNode<Element>

  private let notes: ElementNotes<Element>
  private let index: IdentityIndex<Element, ObjectIdentifier>
  /// A filter that tracks new elements whenever the graph is settled, and not only when observers are called: an
  /// element may change in between.
  private let probe: FilterNode<Element>
  private var isTakingIn = false
  /// The notes of elements that have left in the open transaction; a rollback would restore them without an update.
  private var absent: [ElementNotes<Element>.Note] = []

  /// Begins to follow the elements of a node.
  ///
  /// - Parameters:
  ///   - node: the root of the elements, which is kept alive; preferably the sources themselves or a join of them. The
  ///     whole tree is read: a `HierarchyNode` loads all its children.
  ///   - isolation: the actor to which the node and its elements belong, and on which this is called.
  ///   - read: reads the properties to follow; its result is not used. The closure must not change anything.
  /// - Complexity: O(n) for n elements.
  public init<Reading>(
    of node: any TreeNode<Element>, isolation: isolated any Actor = #isolation,
    reading read: @escaping (Element) -> Reading
  ) {
    self.node = node
    let (door, tasks) = (Door(), ActorTasks(isolation))
    notes = ElementNotes({ tasks.begin { door.tracker?.refresh() } }) { _ = read($0) }
    (probe, index) = Self.followers(of: node, notes)
    node.hub.graph.add(self)
    door.tracker = self
  }

  /// Leads a task of the actor to the tracker.
  ///
  /// `@unchecked Sendable`, because the reference is set once, and only code on the actor follows it.
  private final class Door: @unchecked Sendable {
    weak var tracker: ElementTracker?
  }

  private init(_ node: any TreeNode<Element>, _ notes: ElementNotes<Element>) {
    self.node = node
    self.notes = notes
    (probe, index) = Self.followers(of: node, notes)
    node.hub.graph.add(self)
  }

  /// Begins to follow the elements of a node that belongs to no actor: only edits and `refresh()` report the changes.
  ///
  /// - Parameters:
  ///   - node: as for the initializer.
  ///   - read: as for the initializer.
  /// - Returns: the tracker.
  /// - Complexity: O(n) for n elements.
  public static func manual<Reading>(
    of node: any TreeNode<Element>, reading read: @escaping (Element) -> Reading
  ) -> ElementTracker {
    ElementTracker(node, ElementNotes(nil) { _ = read($0) })
  }

  private static func followers(
    of node: any TreeNode<Element>, _ notes: ElementNotes<Element>
  ) -> (FilterNode<Element>, IdentityIndex<Element, ObjectIdentifier>) {
    let probe = FilterNode(node.hub.hasOnlyLeaves ? node : DescendantsNode(node)) { element in
      notes.track(element)
      return true
    }
    return (probe, IdentityIndex(of: node, id: { ObjectIdentifier($0) }))
  }

  deinit {
    node.hub.graph.root.remove(self)
  }

  /// The number of elements that the tracker has reported so far, each once for a transaction.
  package private(set) var updateCount = 0

  /// Reports the elements that have changed, as one transaction; does nothing where there are none.
  ///
  /// A caller needs this only if the report cannot wait until the actor starts its next task.
  ///
  /// - Complexity: O(log n), and the propagation, for each place of each element that has changed; O(n) more for n
  ///   elements of the sources in a transaction that has changed a source and has read no view since.
  public func refresh() {
    let graph = node.hub.graph
    // Do not disturb a settlement, a move or a rollback under way: the task reports the changes later.
    guard !isTakingIn, !graph.isSettling, graph.mark == nil, !graph.isTakingBack else { return }
    // An edit that was refused after a report has not called the observers.
    guard notes.hasChanges || graph.holdsDelivery else { return }
    isTakingIn = true
    defer { isTakingIn = false }
    let isOpen = graph.defers
    node.performUpdates {
      // The end of the outermost transaction calls observers. They may change other elements, and make edits.
      defer { isTakingIn = isOpen }
      var updates = ElementUpdates<Element>()
      let changes = notes.takeChanges()
      // The index must not be asked before the graph is settled, and sorts that compare must be settled with these
      // updates.
      let found = graph.isUnsettled ? updates.add(changes, inSourcesOf: node) : nil
      for note in changes {
        guard let element = found.map({ $0[note.id] }) ?? index.element(of: note.id) else {
          // An element that has left is not followed any more.
          if isOpen { keep(note) } else { notes.forget(note) }
          continue
        }
        node.hub.refusingChanges { notes.renew(element) }
        updateCount += 1
        if found != nil { continue }
        for path in index.paths(of: note.id) { node.child(at: path.dropLast()).map { updates.add(path.last!, in: $0) } }
      }
      updates.announce(in: graph)
    }
    // In a transaction, the count of the index would settle the graph.
    if !graph.defers, notes.entryCount > 2 * index.count + 64 { notes.removeUnused { index.contains($0) } }
  }

  /// Keeps the note of an element that has left, until it can be back.
  private func keep(_ note: ElementNotes<Element>.Note) {
    if absent.isEmpty { node.hub.graph.whenSettled { [weak self] in self?.noteRestoredElements() } }
    absent.append(note)
  }

  /// How many elements are noted; for tests.
  var entryCount: Int { notes.entryCount }
}

@available(*, unavailable)
extension ElementTracker: Sendable {}

extension ElementUpdates where Element: AnyObject {
  /// Adds the places in the sources of a node whose elements have changed.
  ///
  /// - Returns: the elements that were found.
  fileprivate mutating func add(
    _ changes: [ElementNotes<Element>.Note], inSourcesOf node: any TreeNode<Element>
  ) -> [ObjectIdentifier: Element] {
    let wanted = Set(changes.map(\.id))
    var found: [ObjectIdentifier: Element] = [:]
    add(inSourcesOf: node) { element in
      let id = ObjectIdentifier(element)
      if wanted.contains(id) { found[id] = element }
      return wanted.contains(id)
    }
    return found
  }
}

extension ElementTracker: ElementAnnouncer {
  func announceChanges() { refresh() }

  func noteRestoredElements() {
    for note in absent { notes.putBack(note) }
    absent = []
  }
}
