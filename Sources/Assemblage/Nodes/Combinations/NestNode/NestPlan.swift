import OffsetIndexing

/// The effect of a change of the source on a nest, as it is put together: the change of the whole, and the nodes of rows that it
/// concerns.
struct NestPlan {
  /// A place in the tree, and how many children are there.
  typealias Place = (path: [Int], count: Int)

  private var whole = ChangeSetComposer()
  /// Whether a dependent or an observer receives the change.
  let isHeard: Bool
  /// The rows whose nodes other nodes derive from, or observers listen to.
  private let awake: Set<Int>
  /// Those of them in or below which something has changed.
  private(set) var touched: Set<Int> = []
  /// Those of them whose values have changed.
  private(set) var updated: Set<Int> = []
  /// Where those of them were that leave.
  private(set) var formerPlaces: [Int: Place] = [:]
  /// The rows that got their first child or lost their last one, and whether they had children before.
  var hadChildren: [Int: Bool] = [:]
  /// The slots that no row may have any more.
  var leftSlots: [Int] = []
  /// The rows that have left, and those that are new, with the slots of their ids.
  var leftRows: [(row: Int, slot: Int)] = []
  var newRows: [(row: Int, slot: Int)] = []

  /// Begins a plan.
  ///
  /// - Parameters:
  ///   - isHeard: whether a dependent or an observer receives the change.
  ///   - awake: the rows whose nodes receive their own changes.
  init(isHeard: Bool, awake: Set<Int>) {
    self.isHeard = isHeard
    self.awake = awake
  }

  /// Notes where rows are that leave the source, before anything has changed.
  mutating func noteRemovals(_ removals: Delta.Ranges, _ translation: borrowing NestTranslation) {
    if awake.isEmpty { return }
    for position in removals.joined() {
      let row = translation.row(atSource: position)
      if awake.contains(row) { formerPlaces[row] = translation.nodePlace(of: row) }
    }
  }

  /// The change of the children of a branch, as the root sees it now; the branches on the way are noted.
  mutating func lifted(
    _ change: consuming ChangeSet, from branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) -> ChangeSet {
    var branch = branch
    while branch != TreeIndex.root, let parent = translation.tree.shape.parent(of: branch) {
      if !awake.isEmpty { note(translation.row(of: branch)) }
      change.wrap(at: translation.tree.shape.position(of: branch))
      branch = parent
    }
    return change
  }

  private mutating func note(_ row: Int) {
    if awake.contains(row) { touched.insert(row) }
  }

  /// Adds a change of the root.
  mutating func append(_ change: ChangeSet) { whole.append(change) }

  /// Adds a change of the children of a branch.
  mutating func append(
    _ change: consuming ChangeSet, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    if isHeard { whole.append(lifted(change, from: branch, translation)) }
  }

  /// Adds that a row has another value.
  mutating func appendUpdate(
    of row: Int, at position: Int, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    if awake.contains(row) { updated.insert(row) }
    appendTurn(of: row, at: position, in: branch, translation)
  }

  /// Adds that a row became a leaf or a branch: its parents report that as another value.
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
  /// The change of a node that is at one place before this change and at another one after it, without being the same child.
  ///
  /// All its children leave and others arrive, but for those that move from the one place to the other.
  ///
  /// - Parameters:
  ///   - former: its place before the change; nil where it had none.
  ///   - place: its place after it; nil where it has none.
  /// - Returns: the change that the node reports.
  func turnover(from former: NestPlan.Place?, to place: NestPlan.Place?) -> ChangeSet {
    func all(_ place: NestPlan.Place?) -> [Range<Int>] { place.map { $0.count > 0 ? [0..<$0.count] : [] } ?? [] }
    var result = ChangeSet(Delta(removals: all(former), insertions: all(place)), updatesValue: true)
    for var crossing in crossings {
      let isTransfer = crossing.places != nil
      crossing.from = former.flatMap { crossing.from?.below($0.path) }
      crossing.to = place.flatMap { crossing.to?.below($0.path) }
      if crossing.from == nil && crossing.to == nil { continue }
      // The parent that the child enters reports what happened to the child.
      if isTransfer, crossing.to == nil { crossing.change = ChangeSet() }
      result.crossings.append(crossing)
    }
    result.foldCrossings()
    return result
  }
}
