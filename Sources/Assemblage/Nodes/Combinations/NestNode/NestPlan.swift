import OffsetIndexing

/// Collects the effect of a change of the source on a nest: the change of the root, and the nodes of rows that also
/// change.
struct NestPlan {
  /// A path in the tree, and the number of children there.
  typealias Place = (path: [Int], count: Int)

  private var whole = ChangeSetComposer()
  /// Whether a dependent or an observer receives the change.
  let hasListeners: Bool
  /// Whether the node of a row has a dependent or an observer; nil where no row has such a node.
  private let isAwake: ((Int) -> Bool)?
  /// The awake rows with a change in or below them.
  private(set) var touched: Set<Int> = []
  /// The awake rows whose values have changed.
  private(set) var updated: Set<Int> = []
  /// The places of the awake rows that leave, before the change.
  private(set) var formerPlaces: [Int: Place] = [:]
  /// The rows that got their first child or lost their last one, and whether they had children before.
  var hadChildren: [Int: Bool] = [:]
  /// The slots of ids that may be unused after the change.
  var leftSlots: [Int] = []
  /// The rows that have left and the new rows, with the slots of their ids.
  var leftRows: [(row: Int, slot: Int)] = []
  var newRows: [(row: Int, slot: Int)] = []

  /// Begins a plan.
  ///
  /// - Parameters:
  ///   - hasListeners: whether a dependent or an observer receives the change.
  ///   - isAwake: whether the node of a row receives its own changes; nil where no row has such a node.
  init(hasListeners: Bool, isAwake: ((Int) -> Bool)?) {
    self.hasListeners = hasListeners
    self.isAwake = isAwake
  }

  /// Notes the places of the rows that leave the source; called before anything has changed.
  mutating func noteRemovals(_ removals: Delta.Ranges, _ translation: borrowing NestTranslation) {
    guard let isAwake else { return }
    for position in removals.joined() {
      let row = translation.row(atSource: position)
      if isAwake(row) { formerPlaces[row] = translation.nodePlace(of: row) }
    }
  }

  /// Converts the change of a branch's children to a change of the root, as the tree is now; notes the branches on the
  /// way.
  mutating func lifted(
    _ change: consuming ChangeSet, from branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) -> ChangeSet {
    var branch = branch
    while branch != TreeIndex.root, let parent = translation.tree.shape.parent(of: branch) {
      if isAwake != nil { note(translation.row(of: branch)) }
      change.wrap(at: translation.tree.shape.position(of: branch))
      branch = parent
    }
    return change
  }

  private mutating func note(_ row: Int) {
    if isAwake?(row) == true { touched.insert(row) }
  }

  /// Adds a change of the root.
  mutating func append(_ change: ChangeSet) { whole.append(change) }

  /// Adds a change of the children of a branch.
  mutating func append(
    _ change: consuming ChangeSet, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    if hasListeners { whole.append(lifted(change, from: branch, translation)) }
  }

  /// Adds the report that a row has another value.
  mutating func appendUpdate(
    of row: Int, at position: Int, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    if isAwake?(row) == true { updated.insert(row) }
    appendTurn(of: row, at: position, in: branch, translation)
  }

  /// Adds the report that a row became a leaf or a branch; its parent reports this as an update.
  mutating func appendTurn(
    of row: Int, at position: Int, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    note(row)
    append(ChangeSet(.update(position..<position + 1)), in: branch, translation)
  }

  /// The change of the root.
  mutating func takeChange() -> ChangeSet { whole.composed() }
}

extension ChangeSet {
  /// The change of a node whose row leaves, or that gets a new row, or both.
  ///
  /// All children at the former place leave, and the children at the new place arrive. A child that moves from the
  /// former place to the new one is reported as a move.
  ///
  /// - Parameters:
  ///   - former: the node's place before this change; nil where the node had none.
  ///   - place: the node's place after this change; nil where the node has none.
  /// - Returns: the change that the node reports.
  func turnover(from former: NestPlan.Place?, to place: NestPlan.Place?) -> ChangeSet {
    func all(_ place: NestPlan.Place?) -> [Range<Int>] { place.map { $0.count > 0 ? [0..<$0.count] : [] } ?? [] }
    var result = ChangeSet(Delta(removals: all(former), insertions: all(place)), updatesValue: true)
    for var crossing in crossings {
      let isTransfer = crossing.places != nil
      crossing.from = former.flatMap { crossing.from?.below($0.path) }
      crossing.to = place.flatMap { crossing.to?.below($0.path) }
      if crossing.from == nil && crossing.to == nil { continue }
      // The parent at which the child arrives reports the change of the child itself.
      if isTransfer, crossing.to == nil { crossing.change = ChangeSet() }
      result.crossings.append(crossing)
    }
    result.foldCrossings()
    return result
  }
}
