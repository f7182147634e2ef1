@_spi(NodeAuthors) import Assemblage

/// Replays a change on a copy of a tree's former contents.
///
/// Only the places that the change inserts or updates are read from the present contents; all other places are copied
/// from the former contents. So the result equals the present contents exactly if the change is complete. The result is
/// written from front to back, with a stack of the open levels instead of recursion.
struct Replay<Element> {
  private let old: FlatTree<Element>
  private let present: FlatTree<Element>
  private let minimality: MinimalityCheck<Element>
  private let arrivals: Arrivals
  private var arrivedCount = 0
  private var result = FlatTree<Element>()
  private var open: [Level] = []
  /// The entries before the change that are still there, and the entries after the change that arrived; nil where no
  /// check needs them.
  private var turnover: Turnover<Element>?

  /// The first breach of law 5, which counts only if the change leads to the right contents.
  private var excess: Finding?

  /// A place whose children are being written.
  private struct Level {
    let entry: Int
    let oldChildren: [Int]
    let presentChildren: [Int]
    let delta: Delta
    let map: Delta.PositionMap
    let changes: ChangeSet.Children
    /// The place in `arrivals`, if something arrives here.
    let arrivals: Int?
    var nextChange = 0
    var position = 0
  }

  private init(
    _ change: ChangeSet, from old: FlatTree<Element>, to present: FlatTree<Element>,
    _ minimality: MinimalityCheck<Element>
  ) {
    self.old = old
    self.present = present
    self.minimality = minimality
    arrivals = Arrivals(change.transfers)
    if minimality.demands.contains(.acrossParents) { turnover = Turnover(oldCount: old.count) }
  }

  /// The contents of `old` after `change`, and the first breach of law 5, if there is one.
  ///
  /// Throws where the change does not even fit.
  static func contents(
    after change: ChangeSet, from old: FlatTree<Element>, to present: FlatTree<Element>,
    _ minimality: MinimalityCheck<Element>
  ) throws(Finding) -> (contents: FlatTree<Element>, excess: Finding?) {
    var replay = Replay(change, from: old, to: present, minimality)
    replay.result.append(change.updatesValue ? present.values[0] : old.values[0], isNode: true)
    replay.turnover?.keep(0..<1)
    try replay.enter(change.delta, change.children, old: 0, present: 0, arrivals: replay.arrivals.root)
    try replay.run()
    guard replay.arrivedCount == change.transfers.count else {
      let missing = counted(change.transfers.count - replay.arrivedCount, "transfer")
      throw Finding(.replayAgrees, at: [], "\(missing) of \(change) lead to places where nothing is inserted")
    }
    if let turnover = replay.turnover {
      do { try turnover.check(change, old, present, minimality) } catch {
        replay.excess = replay.excess ?? error
      }
    }
    return (replay.result, replay.excess)
  }

  /// The path after the change of the place that is being written. The path is computed for messages only, because
  /// paths are long in a deep tree.
  private var path: [Int] { open.map { $0.position - 1 } }

  /// Opens the level below the entry that was written last.
  private mutating func enter(
    _ delta: Delta, _ changes: ChangeSet.Children, old: Int, present: Int, arrivals: Int?
  ) throws(Finding) {
    let oldChildren = self.old.children(of: old)
    let presentChildren = self.present.children(of: present)
    guard let newCount = count(after: delta, oldChildren.count) else {
      throw Finding(
        .replayAgrees, at: path,
        "\(delta) reaches beyond the \(counted(oldChildren.count, "child", "children")) before it")
    }
    guard newCount == presentChildren.count else {
      throw Finding(
        .replayAgrees, at: path,
        "\(delta) makes \(newCount) of \(oldChildren.count) children, but there are \(presentChildren.count)")
    }
    let map = Delta.PositionMap(delta)
    if excess == nil, !minimality.demands.isEmpty {
      do throws(Finding) {
        try minimality.check(
          delta, map, oldChildren.map { self.old.values[$0] }, presentChildren.map { self.present.values[$0] }
        )
      } catch { excess = error.below(path) }
    }
    if let last = changes.last, last.position >= newCount {
      throw Finding(
        .replayAgrees, at: path, "there is a change inside the child at \(last.position), of \(newCount)")
    }
    open.append(
      Level(
        entry: result.count - 1, oldChildren: oldChildren, presentChildren: presentChildren, delta: delta, map: map,
        changes: changes, arrivals: arrivals))
  }

  /// Opens the level below the entry that was written last, which the change inserts. All of its children are inserted
  /// too, except the children that arrive from elsewhere.
  private mutating func enterInserted(present: Int, arrivals: Int) {
    let children = self.present.children(of: present)
    let delta = Delta.insertion(0..<children.count)
    open.append(
      Level(
        entry: result.count - 1, oldChildren: [], presentChildren: children, delta: delta,
        map: Delta.PositionMap(delta), changes: ChangeSet().children, arrivals: arrivals))
  }

  /// The count after a delta, or nil where it does not fit the count before.
  private func count(after delta: Delta, _ count: Int) -> Int? {
    let newCount = count + delta.countChange
    let oldEnd = max(delta.removals.last?.upperBound ?? 0, delta.moves.map(\.source.upperBound).max() ?? 0)
    let newEnd = max(
      delta.insertions.last?.upperBound ?? 0, delta.updates.last?.upperBound ?? 0,
      delta.moves.last?.destination.upperBound ?? 0)
    return oldEnd <= count && newEnd <= newCount ? newCount : nil
  }

  private mutating func run() throws(Finding) {
    while let top = open.indices.last {
      let position = open[top].position
      guard position < open[top].presentChildren.count else {
        result.close(open[top].entry)
        open.removeLast()
        continue
      }
      open[top].position += 1
      let present = open[top].presentChildren[position]
      let change = takeChange(at: position, of: top)
      let arrivals = self.arrivals.place(position, below: open[top].arrivals)
      if let former = open[top].map.position(before: position) {
        let isUpdated = open[top].delta.updates.contains(position: position)
        try write(
          change.map { ($0.delta, $0.children) }, isUpdated: isUpdated, old: open[top].oldChildren[former],
          present: present, arrivals)
      } else if change != nil {
        throw Finding(
          .replayAgrees, at: path,
          "\(open[top].delta) inserts a child, and also reports changes inside this child")
      } else {
        try insert(present, arrivals)
      }
    }
  }

  private mutating func takeChange(at position: Int, of top: Int) -> ChangeSet.Child? {
    guard open[top].nextChange < open[top].changes.count else { return nil }
    let next = open[top].changes[open[top].nextChange]
    guard next.position == position else { return nil }
    open[top].nextChange += 1
    return next
  }

  /// Writes a place that was there before, with the change inside it.
  private mutating func write(
    _ inside: (delta: Delta, children: ChangeSet.Children)?, isUpdated: Bool, old: Int, present: Int, _ arrivals: Int?
  ) throws(Finding) {
    let value = isUpdated ? self.present.values[present] : self.old.values[old]
    let isNode = isUpdated ? self.present.isNode[present] : self.old.isNode[old]
    if let inside {
      turnover?.keep(old..<old + 1)
      result.append(value, isNode: isNode)
      try enter(inside.delta, inside.children, old: old, present: present, arrivals: arrivals)
    } else {
      // An update is about the value alone; a change below it must be reported separately.
      let size = self.old.sizes[old]
      turnover?.keep(old..<old + size)
      result.append(subtree: old, of: self.old)
      result.values[result.count - size] = value
      result.isNode[result.count - size] = isNode
    }
  }

  /// Writes a place that its parent did not have before: the place is new, or arrived from another parent.
  private mutating func insert(_ present: Int, _ arrivals: Int?) throws(Finding) {
    guard let arrivals else {
      turnover?.insert(present..<present + self.present.sizes[present])
      return result.append(subtree: present, of: self.present)
    }
    guard let transfer = self.arrivals.transfer(at: arrivals) else {
      turnover?.insert(present..<present + 1)
      result.append(self.present.values[present], isNode: self.present.isNode[present])
      return enterInserted(present: present, arrivals: arrivals)
    }
    guard let old = self.old.entry(at: transfer.source) else {
      throw Finding(
        .replayAgrees, at: Array(transfer.destination),
        "a child is reported to arrive from \(transfer.source.bracketed), where no child was")
    }
    arrivedCount += 1
    let change = transfer.change
    let hasInside = !change.delta.isEmpty || change.hasChildren
    try write(
      hasInside ? (change.delta, change.children) : nil, isUpdated: change.updatesValue, old: old, present: present,
      arrivals)
  }
}
