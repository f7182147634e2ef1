import Assemblage
import AssemblageSearch
import AssemblageWidgets
import Foundation

/// The files, and the nodes that search, sort and show them.
final class FileTree {
  /// Whether the user may change the files.
  enum Access { case reading, writing }

  let forest: ForestNode<File>
  let index: TextIndex<File>
  let found: TreeFilterNode<File>
  let sorted: TreeSortNode<File>
  let outline: OutlineNode<File, Int>
  let rows: ListCoordinator<File>
  /// The edits that the user can undo; nil where files cannot be changed, because the forest only reads a disk.
  let undoLog: UndoLog?
  private(set) var query: TextQuery?
  private(set) var order: FileOrder?
  private var sorting: Task<Void, Never>?
  /// The expansion during a search; nil while there is no search.
  private var searchPolicy: ExpansionPolicy?
  private var nextID = 1_000_000_000

  /// The number of ranges of rows that may change at once before the view reloads. For each range, GTK fills in the
  /// some 200 rows that enter its view, and the next range may remove some of them again.
  private static let rangeLimit = 10

  /// The number of matches that are all expanded; for more matches, only the first `unfoldedRows` rows are.
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

  /// The number of files and folders.
  var count: Int { forest.descendantCount }

  /// The number of files and folders that match the search; nil: there is no search.
  var matchCount: Int? { query.map { _ in found.matchCount } }

  // MARK: Search

  /// Shows the files and folders whose names contain all words of a text, and the folders above them.
  ///
  /// An empty text shows all files. The index searches a million names in some milliseconds, and the matches are shown
  /// in one change. If there are very many matches, only the first rows are expanded, so that the user sees matches,
  /// too.
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

  /// Expands or collapses all matches until the search ends.
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

  /// The first row that matches the search itself, among the first 10,000 rows; nil where there is none.
  ///
  /// A row may also be shown only because a row below it matches.
  var firstMatch: Int? {
    guard let query else { return nil }
    return (0..<min(outline.count, 10_000)).first { row in
      outline.element(at: row).map { query.matches($0.name) } ?? false
    }
  }

  // MARK: Order

  /// Sorts the files of each folder, on other cores; a further call cancels a sort that still runs.
  ///
  /// - Parameter order: the order of the files; nil: their order in the forest, where the user can move them.
  /// - Returns: a task that ends when the files are sorted.
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

  /// Inserts a new folder, with a name that is not used yet, into a folder.
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

/// The actions of the user on files of a disk.
struct ReadingBehavior: ContextBehavior {
  let folder: ForestNode<File>

  func actions(at place: NodePlace) -> [ContextAction] {
    [ContextAction("Copy Name") { [file = folder[place.position]] in Clipboard.set(file.name) }]
  }
}

/// The actions of the user on the files of a folder of the demo tree: all actions.
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
