import OffsetIndexing

/// What a change of the source does to a nest, as it is put together: what the whole tells, and each part that is awake.
struct NestPlan {
  private var whole = ChangeSetComposer()
  private var parts: [Int: ChangeSetComposer] = [:]
  /// Whether there is one who hears of it.
  private let isHeard: Bool
  /// The nodes of rows from which others derive, or to which observers listen.
  private let awake: Set<Int>
  /// The nodes of rows that lost theirs or found it.
  private(set) var changedParts: [Int] = []
  /// What moved in the transaction under way.
  private(set) var passage: NestPassage?
  /// The rows that got their first child or lost their last one, and whether they had children before.
  var hadChildren: [Int: Bool] = [:]
  /// The slots that may be known to no row any more.
  var leftSlots: [Int] = []
  /// The numbers of the rows that left.
  var leftRows: [Int] = []
  /// The nodes of rows that left and may come elsewhere.
  var departedParts: Set<Int> = []

  /// Begins a plan.
  ///
  /// - Parameters:
  ///   - isHeard: whether a dependent or an observer hears of it.
  ///   - awake: the nodes of rows that hear what is theirs.
  ///   - passage: what moved before in the transaction under way; nil outside of one, or where no observer listens.
  init(isHeard: Bool, awake: Set<Int>, passage: NestPassage?) {
    self.isHeard = isHeard
    self.awake = awake
    self.passage = passage
  }

  /// Takes in what happened to the children of a branch, as the branches above it see it now.
  mutating func tell(
    _ change: consuming ChangeSet, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    guard isHeard else { return }
    var branch = branch
    while branch != TreeIndex.root, let parent = translation.tree.shape.parent(of: branch) {
      if !awake.isEmpty || passage?.isEmpty == false {
        let row = translation.row(of: branch)
        passage?.noteInside(row)
        if let part = translation.parts.part(of: row) { tell(change, to: part) }
      }
      change.wrap(at: translation.tree.shape.position(of: branch))
      branch = parent
    }
    whole.append(change)
  }

  /// Takes in that a row came and left again, of which only what it came with and left with is known.
  mutating func tellLink(_ crossing: Crossing) {
    guard isHeard else { return }
    var change = ChangeSet()
    change.crossings = [crossing]
    whole.append(change)
  }

  /// Takes in what happened to the node of a row.
  private mutating func tell(_ change: ChangeSet, to part: Int) {
    if awake.contains(part) { parts[part, default: ChangeSetComposer()].append(change) }
  }

  /// Takes in that a row got another value.
  mutating func tellUpdate(
    of row: Int, at position: Int, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    guard isHeard else { return }
    if let part = translation.parts.part(of: row) { tell(ChangeSet(updatesValue: true), to: part) }
    tellTurn(of: row, at: position, in: branch, translation)
  }

  /// Takes in that a row became a leaf or a branch: its parents hear of that as of another value.
  mutating func tellTurn(
    of row: Int, at position: Int, in branch: TreeIndex.Branch, _ translation: borrowing NestTranslation
  ) {
    guard isHeard else { return }
    passage?.noteUpdate(row)
    tell(ChangeSet(.update(position..<position + 1)), in: branch, translation)
  }

  /// Takes in that the node of a row lost it or found one.
  mutating func tellTurnover(of part: Int) {
    changedParts.append(part)
    tell(ChangeSet(updatesValue: true), to: part)
  }

  /// What a row is told with that goes from one parent to another, and whether it was updated since it was first told with it.
  mutating func pass(_ row: Int) -> (token: Crossing.Token, isUpdated: Bool) {
    passage?.pass(row) ?? (Crossing.Token(), false)
  }

  /// Notes that a row leaves the source.
  mutating func forget(_ row: Int) { passage?.forget(row) }

  /// What the whole tells.
  mutating func takeWhole() -> ChangeSet { whole.composed() }

  /// What the nodes of rows tell.
  mutating func takeParts() -> [(part: Int, change: ChangeSet)] {
    parts.keys.sorted().map { ($0, parts[$0]!.composed()) }
  }
}

/// What rows are told with that go from one parent to another in a transaction: the same each time, so that to the node of a row
/// to which they come back they have survived.
struct NestPassage {
  let transaction: Int
  private var tokens: [Int: Crossing.Token] = [:]
  /// Those that were updated since.
  private var updated: Set<Int> = []

  init(transaction: Int) { self.transaction = transaction }

  var isEmpty: Bool { tokens.isEmpty }

  mutating func pass(_ row: Int) -> (token: Crossing.Token, isUpdated: Bool) {
    if let token = tokens[row] { return (token, updated.contains(row)) }
    let token = Crossing.Token()
    tokens[row] = token
    return (token, false)
  }

  mutating func noteUpdate(_ row: Int) {
    if tokens[row] != nil { updated.insert(row) }
  }

  /// Notes that something happened below a row: that cannot be told twice, where both parents are shown. To those that it has left
  /// it is another one from now on.
  mutating func noteInside(_ row: Int) { forget(row) }

  mutating func forget(_ row: Int) {
    tokens[row] = nil
    updated.remove(row)
  }
}
