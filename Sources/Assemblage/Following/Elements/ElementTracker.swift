import Observation
import Synchronization

/// Tells a node which of its elements have changed by themselves, where these are `@Observable` objects.
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
/// The closure reads of an element what somebody shows, sorts or filters by; often it is the closure of the view. When a
/// property that it read changes, the node that holds the element tells an update, and every view of it follows: a filter
/// asks again, a sort moves the row. Other properties, and other elements, cost nothing. An element at any depth is
/// followed, for as long as it is there, and in every place where it stands.
///
/// Observation tells of a change before it is made, on whichever thread makes it. So the tracker only notes which element it
/// is. The nodes hear of it before the next edit of a source, a predicate or a segment, when the actor to which they belong
/// takes up its next task, or when `refresh()` is called, whichever comes first; all that has been noted by then is one
/// transaction. Until then the element itself has changed, and its row stands where it stood. Objects that another thread
/// changes need an `IdentityIndex` and a stream of their ids instead: a change that is being made there cannot be read yet.
///
/// What an element tells of itself is not undone with an edit: an `UndoLog` does not record it, and it stays where a
/// transaction is rolled back. A node whose children cannot be written, such as a `ProviderNode`, tells nothing.
///
/// The node is kept alive, and tracking ends with the tracker. An object keeps a small note until the
/// property changes next, also after that.
///
/// - Complexity: an element that comes costs O(log n), one call of the closure and one tracking of Observation, and so does
///   each change of it; `benchmark --suite tracking` measures both. Other changes of the node cost what they cost an
///   `IdentityIndex`.
public final class ElementTracker<Element: AnyObject> {
  /// The node whose elements are followed.
  public let node: any TreeNode<Element>

  private let notes: ElementNotes<Element>
  private let index: IdentityIndex<Element, ObjectIdentifier>
  /// Asks about new elements whenever the graph is settled, and not only when observers are called: an element may change in
  /// between.
  private let probe: FilterNode<Element>
  private var isTakingIn = false

  /// Begins to follow the elements of a node.
  ///
  /// - Parameters:
  ///   - node: the root of the elements, best the sources themselves or a join of them; it is kept alive. All of a tree is
  ///     looked at: of a `HierarchyNode`, all children are loaded.
  ///   - isolation: the actor to which the node and its elements belong, and on which this is called.
  ///   - read: reads what is to be followed; what it returns is not used. It must not change anything.
  /// - Complexity: O(n) for n elements.
  public init<Reading>(
    of node: any TreeNode<Element>, isolation: isolated any Actor = #isolation,
    reading read: @escaping (Element) -> Reading
  ) {
    self.node = node
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    notes = ElementNotes(signal) { _ = read($0) }
    (probe, index) = Self.followers(of: node, notes)
    node.hub.graph.add(self)
    Task { [weak self] in
      // Makes the task one of the actor's.
      _ = isolation
      for await _ in signals { self?.refresh() }
    }
  }

  private init(_ node: any TreeNode<Element>, _ notes: ElementNotes<Element>) {
    self.node = node
    self.notes = notes
    (probe, index) = Self.followers(of: node, notes)
    node.hub.graph.add(self)
  }

  /// Begins to follow the elements of a node that belongs to no actor: edits and `refresh()` are all that brings changes in.
  ///
  /// - Parameters:
  ///   - node: as of the initializer.
  ///   - read: as of the initializer.
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
    notes.end()
    node.hub.graph.root.remove(self)
  }

  /// The number of elements that the tracker has told of so far, each once for a transaction.
  package private(set) var updateCount = 0

  /// Tells of the elements that have changed, as one transaction; does nothing where none has.
  ///
  /// It need not be called. It is for a caller that cannot wait until its actor takes up the next task.
  ///
  /// - Complexity: O(log n), and the propagation, for each place of each element that has changed; O(n) more for n elements of
  ///   the sources in a transaction that has changed a source and has read no view since.
  public func refresh() {
    let graph = node.hub.graph
    // What is half done, or taken back, is not disturbed: the task comes later.
    guard !isTakingIn, !graph.isSettling, graph.mark == nil, !graph.isTakingBack else { return }
    guard notes.hasChanges else { return }
    isTakingIn = true
    defer { isTakingIn = false }
    let isOpen = graph.defers
    node.performUpdates {
      var updates = ElementUpdates<Element>()
      let changes = notes.takeChanges()
      // The index must not be asked before the graph is settled, and sorts that compare are settled with what has changed.
      let found = graph.isUnsettled ? updates.add(changes, inSourcesOf: node) : nil
      for note in changes {
        guard let element = found.map({ $0[note.id] }) ?? index.element(of: note.id) else {
          // One that has left is not followed any more; but a rollback would bring it back as it was.
          if isOpen { notes.putBack(note) } else { notes.forget(note) }
          continue
        }
        node.hub.refusingChanges { notes.renew(element) }
        updateCount += 1
        if found != nil { continue }
        for path in index.paths(of: note.id) { node.child(at: path.dropLast()).map { updates.add(path.last!, in: $0) } }
      }
      updates.announce(in: graph)
    }
    if notes.entryCount > 2 * index.count + 64 { notes.removeUnused { index.contains($0) } }
  }

  /// How many elements are noted; for tests.
  var entryCount: Int { notes.entryCount }
}

@available(*, unavailable)
extension ElementTracker: Sendable {}

extension ElementUpdates where Element: AnyObject {
  /// Adds the places in the sources of a node where elements are that have changed.
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
}
