import Assemblage
import AssemblageSearch
import AssemblageWidgets
import Foundation

/// The files, and what is shown of them: found, sorted, unfolded.
final class FileTree {
  /// Whether the user may change the files.
  enum Access { case reading, writing }

  let forest: ForestNode<File>
  let index: TextIndex<File>
  let found: TreeFilterNode<File>
  let sorted: TreeSortNode<File>
  let outline: OutlineNode<File, Int>
  let rows: ListCoordinator<File>
  /// What the user can take back; nil where files cannot be changed, and what the tree reports is read from a disk.
  let undoLog: UndoLog?
  private(set) var query: TextQuery?
  private(set) var order: FileOrder?
  private var sorting: Task<Void, Never>?
  /// What is unfolded while something is searched.
  private var searchPolicy: ExpansionPolicy?
  private var nextID = 1_000_000_000

  /// Above so many ranges of rows that change at once, the view reloads: for each of them, GTK fills in rows that come
  /// into its view, some 200, of which the next one may take out again.
  private static let rangeLimit = 10

  /// Up to so many matches are all unfolded; of more, so many rows from the first one on.
  private static let unfoldingLimit = 5_000
  private static let unfoldedRows = 100

  init(_ forest: ForestNode<File>, _ access: Access) {
    self.forest = forest
    index = TextIndex(of: forest, text: \.name)
    found = TreeFilterNode(forest) { _ in true }
    let order = FileOrder(key: .name)
    sorted = TreeSortNode(found, by: order.areInIncreasingOrder)
    self.order = order
    outline = OutlineNode(sorted, id: \.id)
    undoLog = access == .writing ? UndoLog(of: forest) : nil
    rows = ListCoordinator(outline, reloadingAbove: Self.rangeLimit)
    rows.keepSelection(id: \.id)
    rows.behaviors = { [unowned self] node in
      guard let folder = node as? ForestNode<File> else { return [] }
      return access == .writing ? [FolderBehavior(tree: self, folder: folder)] : [ReadingBehavior(folder: folder)]
    }
  }

  /// How many files and folders there are.
  var count: Int { forest.descendantCount }

  /// How many of them the search found; nil: nothing is searched.
  var matchCount: Int? { query.map { _ in found.matchCount } }

  // MARK: Search

  /// Shows what has all words of a text in its name, with the folders that lead there; nothing shows all.
  ///
  /// The index looks through a million names in some milliseconds; what it finds is shown in one change. Where it is
  /// very much, the first rows are unfolded, so that a user sees matches, too.
  func search(_ text: String) {
    let query = TextQuery.words(text)
    if query.isEmpty, self.query == nil { return }
    rows.suspend()
    defer { rows.resume() }
    let unfolds = !query.isEmpty && index.count(for: query) <= Self.unfoldingLimit
    if !unfolds { expandForSearch(.collapsed) }
    found.setSearch(query, in: index)
    if unfolds { expandForSearch(.expanded) } else { unfoldFirstRows() }
    self.query = query.isEmpty ? nil : query
    if query.isEmpty {
      outline.endTemporaryExpansion()
      searchPolicy = nil
    }
  }

  /// Unfolds or folds all that was found, until the search ends.
  private func expandForSearch(_ policy: ExpansionPolicy) {
    if policy == .expanded, searchPolicy == policy { return }
    if searchPolicy == nil {
      outline.beginTemporaryExpansion(policy)
    } else {
      outline.expansion = ExpansionState(policy: policy)
    }
    searchPolicy = policy
  }

  private func unfoldFirstRows() {
    var row = 0
    while row < outline.count, row < Self.unfoldedRows {
      if outline.row(at: row).hasChildren { outline.expand(row: row, by: .program) }
      row += 1
    }
  }

  /// The first row that the search found, and that does not only lead to one; nil where there is none.
  var firstMatch: Int? {
    guard let query else { return nil }
    return (0..<min(outline.count, 10_000)).first { row in
      outline.element(at: row).map { query.matches($0.name) } ?? false
    }
  }

  // MARK: Order

  /// Sorts the files of each folder, on other cores; a further call takes the place of one that is under way.
  ///
  /// - Parameter order: what they are sorted by; nil: they are as they come, and can be moved among each other.
  /// - Returns: ends when they are.
  @discardableResult
  func sort(by order: FileOrder?) -> Task<Void, Never> {
    self.order = order
    sorting?.cancel()
    let sorted = sorted
    let task = Task {
      guard let order else { return sorted.setComparator(nil) }
      try? await sorted.setComparator(inBackground: .concurrently) { order.areInIncreasingOrder($0, $1) }
    }
    sorting = task
    return task
  }

  // MARK: Edits

  /// Puts a folder of a new name into a folder.
  func makeFolder(in folder: ForestNode<File>) {
    nextID += 1
    var name = "New Folder"
    var number = 2
    let names = Set(folder.elements.map(\.name))
    while names.contains(name) {
      name = "New Folder \(number)"
      number += 1
    }
    let file = File(id: nextID, name: name, isFolder: true, size: 0, modified: Int(Date().timeIntervalSince1970))
    folder.performUpdates {
      folder.insert(file, at: 0)
      folder.turnIntoBranch(at: 0)
    }
  }
}

/// What the user may do with files that exist on a disk.
struct ReadingBehavior: ContextBehavior {
  let folder: ForestNode<File>

  func actions(at place: NodePlace) -> [ContextAction] {
    [ContextAction("Copy Name") { [file = folder[place.position]] in Clipboard.set(file.name) }]
  }
}

/// What the user may do with the files of a folder of the demo tree: all.
struct FolderBehavior: EditingBehavior, DeletionBehavior, MovingBehavior, ContextBehavior {
  unowned let tree: FileTree
  let folder: ForestNode<File>

  func actions(at place: NodePlace) -> [ContextAction] {
    let file = folder[place.position]
    let inside = folder.child(at: place.position) as? ForestNode<File>
    return [
      ContextAction("Copy Name") { Clipboard.set(file.name) },
      ContextAction("New Folder Inside", isEnabled: inside != nil) { inside.map { tree.makeFolder(in: $0) } },
      ContextAction("Delete", isDestructive: true) { tree.rows.deleteSelection() },
    ]
  }
}
