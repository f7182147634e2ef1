public import Assemblage

/// Reports why a `ListViewModel` refused a batch, in the words of the exceptions of `UITableView` and
/// `UICollectionView`.
///
/// Each case names the origin of its rule: *documented* by the views' reference, or only *observed* as an exception or
/// a crash that users report.
///
/// ```swift
/// var table = ListViewModel(TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Al", "Bo"])]))
/// let tree = TreeSnapshot(children: [TreeSnapshot(value: "Friends", leaves: ["Bo"])])
/// let source = ViewDataSource(count: { tree.count(at: $0) ?? 0 }, value: { tree.value(at: $0) })
/// do {
///   try table.perform(ListBatch(deletions: [[0, 2]]), from: source)
/// } catch {
///   error    // .outOfRange(.delete, [0, 2], count: 2)
/// }
/// ```
public enum ListViewError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An operation of a batch at a path.
  ///
  /// ```swift
  /// ListViewError.collision(.delete, .moveFrom, [0, 1]).description
  /// // "attempt to perform a delete and a move from at the same row ([0, 1])"
  /// ```
  public enum Operation: String, Hashable, Sendable {
    /// A deletion.
    case delete
    /// An insertion.
    case insert
    /// A reload.
    case reload
    /// The source of a move.
    case moveFrom = "move from"
    /// The destination of a move.
    case moveTo = "move to"
  }

  /// The sections do not add up. Documented: the data source must reflect the batch.
  case invalidSectionCount(before: Int, after: Int, inserted: Int, deleted: Int)

  /// The rows of a section do not add up. Documented: the data source must reflect the batch.
  case invalidRowCount(
    section: Int, before: Int, after: Int, inserted: Int, deleted: Int, movedIn: Int, movedOut: Int)

  /// One place is deleted, moved away, moved to or reloaded twice. Observed: views crash, some only later.
  case twice(Operation, IndexPath)

  /// Two operations are at the same place. Observed: a reload is a deletion and an insertion, and no place can be both
  /// deleted and moved.
  case collision(Operation, Operation, IndexPath)

  /// The place does not exist: before the batch for deletions, reloads and sources of moves, after the batch for other
  /// operations. Documented.
  case outOfRange(Operation, IndexPath, count: Int)

  /// A row moves into a section that the batch inserts. Observed.
  case moveIntoInsertedSection(Int)

  /// A row moves out of a section that the batch deletes. Observed.
  case moveFromDeletedSection(Int)

  /// A row is deleted, inserted or reloaded in a section that is deleted or inserted itself. Documented: some versions
  /// ignore this, and others count the row twice.
  case changeInSection(Operation, Operation, IndexPath)

  /// A row changes in a section that moves or is reloaded. Observed: the views look for the row in the wrong section,
  /// and find counts that do not add up.
  case changeInMovedSection(Operation, IndexPath)

  /// A reloaded section gets another position. Observed: the view inserts the section again at the old position.
  case displacedReload(section: Int, after: Int)

  /// The sentence of the exception, or one like it.
  public var description: String {
    switch self {
    case .invalidSectionCount(let before, let after, let inserted, let deleted):
      """
      Invalid update: invalid number of sections. The number of sections contained in the view after the update (\(after)) must be equal \
      to the number of sections contained in the view before the update (\(before)), plus or minus the number of sections inserted or \
      deleted (\(inserted) inserted, \(deleted) deleted).
      """
    case .invalidRowCount(let section, let before, let after, let inserted, let deleted, let movedIn, let movedOut):
      """
      Invalid update: invalid number of rows in section \(section). The number of rows contained in an existing section after the \
      update (\(after)) must be equal to the number of rows contained in that section before the update (\(before)), plus or minus the \
      number of rows inserted or deleted from that section (\(inserted) inserted, \(deleted) deleted) and plus or minus the number of rows \
      moved into or out of that section (\(movedIn) moved in, \(movedOut) moved out).
      """
    case .twice(let operation, let path):
      "attempt to \(operation.rawValue) the same \(path.kind) twice (\(path.text))"
    case .collision(let first, let second, let path):
      "attempt to perform a \(first.rawValue) and a \(second.rawValue) at the same \(path.kind) (\(path.text))"
    case .outOfRange(let operation, let path, let count):
      """
      attempt to \(operation.rawValue) \(path.kind) \(path.text), but there are only \(count) of them \
      \(operation.isAfter ? "after" : "before") the update
      """
    case .moveIntoInsertedSection(let section): "cannot move a row into a newly inserted section (\(section))"
    case .moveFromDeletedSection(let section): "cannot move a row from a deleted section (\(section))"
    case .changeInSection(let operation, let section, let path):
      "attempt to \(operation.rawValue) row \(path.text) of a section that the update \(section == .delete ? "deletes" : "inserts")"
    case .changeInMovedSection(let operation, let path):
      "attempt to \(operation.rawValue) row \(path.text) of a section that the update moves or reloads"
    case .displacedReload(let section, let after):
      "attempt to perform an insert and a move to the same section (\(section)): it is reloaded, and is \(after) after the update"
    }
  }
}

extension ListViewError.Operation {
  /// Whether its paths are paths after the batch.
  var isAfter: Bool { self == .insert || self == .moveTo }
}

extension IndexPath {
  /// The word for the thing at a path of a list.
  fileprivate var kind: String { count == 1 ? "section" : "row" }
  fileprivate var text: String { "[" + map(String.init).joined(separator: ", ") + "]" }
}
