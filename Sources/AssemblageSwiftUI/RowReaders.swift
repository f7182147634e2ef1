import Assemblage
import Observation

/// How a reader is notified: at once, or inside a call that animates the update.
package struct RowDelivery: Hashable {
  private let name: AnyHashable?
  let perform: (() -> Void) -> Void

  /// Notifies at once.
  package init() {
    name = nil
    perform = { $0() }
  }

  /// Notifies inside a call.
  ///
  /// - Parameters:
  ///   - name: distinguishes this delivery from others: two of the same name are the same.
  ///   - perform: calls its argument, which notifies, once and before it returns.
  package init(_ name: some Hashable, perform: @escaping (() -> Void) -> Void) {
    self.name = AnyHashable(name)
    self.perform = perform
  }

  package static func == (left: RowDelivery, right: RowDelivery) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// One reading of a node, and how its reader is notified.
struct RowReading: Hashable {
  enum Extent: Hashable {
    /// The children.
    case rows
    /// The children, and the children of these.
    case sections
  }

  let extent: Extent
  let delivery: RowDelivery

  init(_ extent: Extent, _ delivery: RowDelivery) {
    self.extent = extent
    self.delivery = delivery
  }
}

/// The readers of one node: bodies of views, and calls of `withObservationTracking`.
///
/// A view makes new rows in each evaluation of its body, and may keep none of them. So the node keeps this object,
/// which does not keep the node.
///
///     node ──▶ readers ┄┄▶ latest moment ◀── rows ──▶ node        ┄┄▶ weak
///
/// The rows of a moment keep the moment. When no rows are left, the node shares its storage with nothing, and its next
/// edit copies nothing.
final class RowReaders<Contents>: Observable {
  private let registrar = ObservationRegistrar()
  private weak let node: (any TreeNode)?
  private var catchUp: () -> Void = {}
  /// The readings whose readers have not been notified since.
  private var readings: Set<RowReading> = []
  /// The present rows, while a view has them.
  private weak var latest: RowMoment<Contents>?
  private var shown: [Shown] = []

  private struct Shown {
    weak let moment: RowMoment<Contents>?
  }

  private init(_ node: any TreeNode, _ observe: (@escaping (ChangeSet) -> Void) -> () -> Void) {
    self.node = node
    catchUp = observe { [self] in follow($0) }
  }

  /// The readers of a node, which are made where there are none.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - observe: observes the node for as long as it lives, for new readers, and returns a closure that delivers a
  ///     waiting change at once.
  /// - Returns: the readers.
  @MainActor
  static func readers(
    of node: any TreeNode, observedBy observe: (@escaping (ChangeSet) -> Void) -> () -> Void
  ) -> RowReaders {
    let key = RowReadersTable.Key(node: ObjectIdentifier(node), contents: ObjectIdentifier(Contents.self))
    // Another node may have lain at the same address.
    if let known = RowReadersTable.shared[key] as? RowReaders, known.node === node { return known }
    let made = RowReaders(node, observe)
    RowReadersTable.shared[key] = made
    return made
  }

  // MARK: Reading

  /// Notes a reading, where reads are tracked.
  func note(_ reading: RowReading) {
    // A waiting change would remove the reading before its reader is tracked.
    catchUp()
    readings.insert(reading)
    registrar.access(self, keyPath: \.[reading])
  }

  /// The present rows of the node.
  ///
  /// - Parameter take: reads the rows, if nobody has read them since the last change.
  /// - Returns: the rows, which stay as they are.
  func moment(_ take: () -> Contents) -> RowMoment<Contents> {
    catchUp()
    if let latest { return latest }
    let moment = RowMoment(take(), catchUp: catchUp)
    latest = moment
    shown.removeAll { $0.moment == nil }
    shown.append(Shown(moment: moment))
    return moment
  }

  /// A reading, as a property that the registrar can track.
  private subscript(reading: RowReading) -> Void { () }

  // MARK: Notifying

  private func follow(_ change: ChangeSet) {
    let isOther = !change.delta.isEmpty || change.updatesValue
    if isOther {
      latest = nil
      for shown in shown { shown.moment?.follow(change.delta) }
    }
    notify { reading in
      isOther || reading.extent == .sections && change.children.contains { !$0.delta.isEmpty }
    }
  }

  /// Notifies readers, each once for each reading.
  private func notify(_ concerns: (RowReading) -> Bool) {
    let concerned = readings.filter(concerns)
    readings.subtract(concerned)
    for reading in concerned {
      reading.delivery.perform { registrar.withMutation(of: self, keyPath: \.[reading]) {} }
    }
  }
}

/// The readers of each node by its address; the nodes keep them.
@MainActor
private struct RowReadersTable {
  struct Key: Hashable {
    let node: ObjectIdentifier
    let contents: ObjectIdentifier
  }

  private struct Entry {
    weak let readers: AnyObject?
  }

  static var shared = RowReadersTable()

  private var entries: [Key: Entry] = [:]
  /// At so many entries, those of nodes that are gone are dropped.
  private var limit = 64

  subscript(key: Key) -> AnyObject? {
    get { entries[key]?.readers }
    set {
      entries[key] = Entry(readers: newValue)
      if entries.count < limit { return }
      entries = entries.filter { $0.value.readers != nil }
      limit = max(64, 2 * entries.count)
    }
  }
}
