import Assemblage

/// Replays a change on a copy of a tree's former contents.
///
/// Only what the change says came or changed is taken from the present contents; everything else is what it was. So the
/// result is the present contents exactly if the change tells everything. The result is written from front to back, with
/// a stack of the levels that are open instead of recursion.
struct Replay<Element> {
  private let old: FlatTree<Element>
  private let present: FlatTree<Element>
  private let minimality: MinimalityCheck<Element>
  private var result = FlatTree<Element>()
  private var open: [Level] = []

  /// A surviving place whose children are being written.
  private struct Level {
    let entry: Int
    let oldChildren: [Int]
    let presentChildren: [Int]
    let delta: Delta
    let map: Delta.PositionMap
    let newCount: Int
    let changes: ChangeSet.Children
    var nextChange = 0
    var position = 0
  }

  private init(from old: FlatTree<Element>, to present: FlatTree<Element>, _ minimality: MinimalityCheck<Element>) {
    self.old = old
    self.present = present
    self.minimality = minimality
  }

  /// The contents that `change` makes of `old`.
  ///
  /// - Throws: what is wrong with the change: law 4 where it does not fit, law 5 where it is not minimal.
  static func contents(
    after change: ChangeSet, from old: FlatTree<Element>, to present: FlatTree<Element>,
    _ minimality: MinimalityCheck<Element>
  ) throws(Finding) -> FlatTree<Element> {
    var replay = Replay(from: old, to: present, minimality)
    replay.result.append(change.updatesValue ? present.values[0] : old.values[0])
    try replay.enter(change.delta, change.children, old: 0, present: 0)
    try replay.run()
    return replay.result
  }

  /// The path of the place that is being written, after the change.
  private var path: [Int] { open.dropLast().map { $0.position - 1 } }

  /// Opens the level below the entry that was written last.
  private mutating func enter(_ delta: Delta, _ changes: ChangeSet.Children, old: Int, present: Int?) throws(Finding) {
    let path = open.map { $0.position - 1 }
    let oldChildren = self.old.children(of: old)
    let presentChildren = present.map { self.present.children(of: $0) } ?? []
    let newCount = oldCount(oldChildren.count, fits: delta)
    guard let newCount else {
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
    try minimality.check(
      delta, map, oldChildren.map { self.old.values[$0] }, presentChildren.map { self.present.values[$0] }, at: path)
    if let last = changes.last, last.position >= newCount {
      throw Finding(
        .replayAgrees, at: path, "there is a change inside the child at \(last.position), of \(newCount)")
    }
    open.append(
      Level(
        entry: result.count - 1, oldChildren: oldChildren, presentChildren: presentChildren, delta: delta, map: map,
        newCount: newCount, changes: changes))
  }

  /// The count after a delta, or nil where it does not fit the count before.
  private func oldCount(_ count: Int, fits delta: Delta) -> Int? {
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
      guard position < open[top].newCount else {
        result.close(open[top].entry)
        open.removeLast()
        continue
      }
      open[top].position += 1
      var change: ChangeSet.Child?
      if open[top].nextChange < open[top].changes.count {
        let next = open[top].changes[open[top].nextChange]
        if next.position == position {
          change = next
          open[top].nextChange += 1
        }
      }
      let present = open[top].presentChildren[position]
      guard let former = open[top].map.position(before: position) else {
        guard change == nil else {
          throw Finding(
            .replayAgrees, at: path + [position], "\(open[top].delta) inserts a child, and tells of its inside")
        }
        result.append(subtree: present, of: self.present)
        continue
      }
      let old = open[top].oldChildren[former]
      let isUpdated = open[top].delta.updates.contains(position: position)
      let value = isUpdated ? self.present.values[present] : self.old.values[old]
      if let change {
        result.append(value)
        try enter(change.delta, change.children, old: old, present: present)
      } else {
        // An update is of the value alone; what is below must be told separately.
        result.append(subtree: old, of: self.old)
        result.values[result.count - self.old.sizes[old]] = value
      }
    }
  }
}
