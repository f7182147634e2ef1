import Assemblage
import AssemblageSearch
import AssemblageTerminal
import Foundation

/// Directories, or a list of paths, in a terminal outline.
///
///     DirectoryScanner ──▶ listings ──▶ BrowseStore: names, sizes, totals
///     PathScanner ──▶ lines ──┘    └──▶ ForestNode ──▶ TreeFilterNode ──▶ TreeSortNode ──▶ OutlineNode
///
/// A listing is taken into the store and told to the forest as what differs, for some milliseconds at a time, so that keys are
/// answered in between. Items keep their numbers when a directory is read again: so what is expanded, marked and current stays.
@MainActor
final class EntryBrowser: BrowseSource {
  var store = BrowseStore()
  let roots: [Item]
  let forests: [ForestNode<Item>]
  let isList: Bool
  /// What is left out at the moment, and is not counted.
  private(set) var hiding: TerminalHiding = []
  private(set) var contents: TerminalContents<Item, Item>
  var onChange: () -> Void = {}
  var failure: Command.Failure?

  private let colors: LSColors
  private let order: NameOrder
  let visibility: Visibility
  /// What patterns leave out in each directory; empty where there are none.
  private var scopes: [Item: EntryScope] = [:]
  /// Directories that are read again because of patterns above them.
  private var rereads: Set<Item> = []
  private var scanner: DirectoryScanner?
  private var answers: ArraySlice<DirectoryScanner.Answer> = []
  private var isScheduled = false
  private var watcher: DirectoryWatcher?
  var paths: PathScanner?
  /// The entry of each name in each folder of a list.
  var entryOfName: [UInt64: UInt32] = [:]
  var lastPath: [(name: ArraySlice<UInt8>, item: Item)] = []
  /// What has been read behind the last end of a line.
  var rest: [UInt8] = []
  /// What stands between paths.
  var separator: UInt8
  let list: BrowsedList
  /// What has been read of a list and is not in the forest yet.
  var lines: ArraySlice<[UInt8]> = []

  /// How long the terminal waits for what comes from the disk.
  static let slice = Duration.milliseconds(8)

  /// Creates the outline of directories, or of a list where there are none.
  ///
  /// - Parameters:
  ///   - directories: their paths, as a user gave them; several are shown as one list.
  ///   - colors: the colours of names.
  ///   - visibility: the patterns of what is left out; names that begin with a point are left out by the terminal's outline.
  ///   - order: the order of names.
  ///   - list: where a list comes from.
  init(
    directories: [FileName], colors: LSColors, visibility: Visibility = Visibility(), order: NameOrder = .natural,
    list: BrowsedList = BrowsedList()
  ) {
    isList = directories.isEmpty
    (self.colors, self.visibility, self.order, self.list) = (colors, visibility, order, list)
    separator = list.isSeparatedByNull ? 0 : 0x0A
    var store = BrowseStore()
    roots = (isList ? [FileName(bytes: [])] : directories).map {
      store.addRoot($0.bytes, device: FileSystem.status(of: $0)?.device ?? 0)
    }
    self.store = store
    forests = roots.map { _ in ForestNode<Item>() }
    let source: any TreeNode<Item> = forests.count == 1 ? forests[0] : JoinNode(forests)
    let filter = TreeFilterNode(source) { _ in true }
    let sort = TreeSortNode(filter, by: nil)
    contents = TerminalContents(
      filter: filter, sort: sort, rows: OutlineNode(sort, id: { $0 }), id: { $0 }, text: { _ in "" },
      row: { _ in TerminalRow(label: []) }, makeIndex: { _ in TextIndex(of: source, text: { _ in "" }) })
    contents = makeContents(filter, sort)
  }

  private func makeContents(
    _ filter: TreeFilterNode<Item>, _ sort: TreeSortNode<Item>
  ) -> TerminalContents<Item, Item> {
    let rowLook = EntryLook(browser: self, colors: colors)
    let source = filter.source
    var contents = TerminalContents(
      filter: filter, sort: sort, rows: OutlineNode(sort, id: { (item: Item) in item }), id: { $0 },
      text: { [unowned self] in text($0) }, row: { rowLook.row($0) },
      makeIndex: { [unowned self] hiding in
        TextIndex(of: source, text: { [unowned self] in isShown($0, hiding) ? text($0) : "" })
      })
    contents.isShown = { [unowned self] in isShown($0, $1) }
    contents.hidings = visibility.hasPatterns ? [.hidden, .ignored] : .hidden
    contents.orders = orders
    contents.sourceOrder = { [unowned self] in store[$0].position < store[$1].position }
    contents.title = { [unowned self] in title($0) }
    contents.hides = { [unowned self] in hiding = $0 }
    contents.summary = { [unowned self] in summary }
    contents.total = { [unowned self] in store.count(without: hiding) }
    contents.progress = { [unowned self] in progress }
    contents.look = { [unowned self] in look(at: $0) }
    contents.hasFiles = !isList
    return contents
  }

  // MARK: Words

  /// The name as it is shown.
  func text(_ item: Item) -> String {
    let name = store.name(item)
    return sanitized(name.span)
  }

  func isShown(_ item: Item, _ hiding: TerminalHiding) -> Bool { store[item].hiding & hiding.rawValue == 0 }

  private func title(_ item: Item?) -> String {
    if let item { return FileName(bytes: store.path(item, withRoot: !isList)).printed }
    return isList ? list.title : roots.map { text($0) }.joined(separator: " + ")
  }

  private var summary: String {
    let folders = roots.compactMap { store.folder($0) }
    let files = counted(folders.reduce(0) { $0 + $1.totals.files(without: hiding) }, "file", "files")
    return isList ? files : files + ", " + formattedSize(folders.reduce(0) { $0 &+ $1.totals.size(without: hiding) })
  }

  private var progress: String? {
    if isList { return paths == nil && lines.isEmpty ? nil : "reading \(grouped(store.count())) …" }
    let waiting = roots.reduce(0) { $0 + (store.folder($1)?.waiting ?? 0) }
    return waiting == 0 ? nil : "reading, \(counted(waiting, "folder", "folders")) to go"
  }

  private var orders: [TerminalOrder<Item>] {
    let byPosition: (Item, Item) -> Bool = { [unowned self] in store[$0].position < store[$1].position }
    func descending(_ key: @escaping (Item) -> Int) -> (Item, Item) -> Bool {
      { first, second in
        let (left, right) = (key(first), key(second))
        return left != right ? left > right : byPosition(first, second)
      }
    }
    let byType: (Item, Item) -> Bool = { [unowned self] in
      let (first, second) = (store[$0].kind, store[$1].kind)
      if first != second { return first < second }
      let (left, right) = (fileExtension($0), fileExtension($1))
      return left != right ? left < right : byPosition($0, $1)
    }
    let type = TerminalOrder("t", "type", byType)
    if isList {
      let byName: (Item, Item) -> Bool = { [unowned self] in
        order.precedes(store.name($0).span, store.name($1).span)
      }
      return [TerminalOrder("l", "list", nil), TerminalOrder("n", "name", byName), type]
    }
    return [
      TerminalOrder("n", "name", nil),
      TerminalOrder("s", "size", descending { [unowned self] in size($0) }),
      TerminalOrder("d", "date", descending { [unowned self] in store[$0].modified }),
      type,
    ]
  }

  func size(_ item: Item) -> Int { store.folder(item)?.totals.size(without: hiding) ?? store[item].size }

  private func fileExtension(_ item: Item) -> String {
    GroupTree.fileExtension(store.name(item))
  }

  func output(_ item: Item, _ part: TerminalAction<Item>.Part) -> [UInt8] {
    let path = filePath(item)
    // A name that begins with a hyphen would be taken for an option.
    return path.first == UInt8(ascii: "-") ? Array("./".utf8) + path : path
  }

  func file(_ item: Item) -> [UInt8]? { isList ? nil : output(item, .path) }

  /// The path of an entry; below the current directory, without that.
  private func filePath(_ item: Item) -> [UInt8] {
    let root = store.way(to: item).first.flatMap { store.parent($0) }
    let isBelowHere = root.map { store.name($0).elementsEqual(".".utf8) } ?? false
    return store.path(item, withRoot: !isList && !isBelowHere)
  }

  // MARK: Reading

  func start() {
    if isList { return startList() }
    scanner = DirectoryScanner(order: order) { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.schedule() } }
    }
    watcher = DirectoryWatcher { [weak self] item in self?.readAgain(item) }
    // What has been drawn before could not be watched.
    visibleFolders = []
    watch([], expanded: [])
    for root in roots {
      if visibility.hasPatterns {
        scopes[root] = EntryScope(of: FileName(bytes: store.path(root)), visibility, .local)
      }
      request([root], isUrgent: true)
    }
  }

  func stop() {
    scanner?.stop()
    watcher?.stop()
    paths?.stop()
  }

  /// Asks for directories that have not been read, or could not be.
  private func request(_ items: [Item], isUrgent: Bool) {
    for item in items {
      switch store.folder(item)?.state {
      case .unread, .failed:
        store.setState(.waiting, of: item)
        store.add(waiting: 1, to: item)
      default: break
      }
    }
    scanner?.read(items.map { .init(item: $0, path: store.path($0), scope: scopes[$0]) }, isUrgent: isUrgent)
  }

  private func look(at item: Item) {
    guard !isList, let folder = store.folder(item), folder.state != .read else { return }
    request([item], isUrgent: true)
  }

  private func readAgain(_ item: Item) {
    guard !store[item].isRemoved else { return }
    request([item], isUrgent: true)
  }

  func reload() {
    guard !isList else { return }
    var read: [Item] = []
    var open = roots
    while let item = open.popLast() {
      guard let folder = store.folder(item), folder.state != .unread else { continue }
      read.append(item)
      open += folder.children.filter { store.isFolder($0) }
    }
    // The first in the list is read last, and what is on the screen before all.
    request(read.reversed(), isUrgent: false)
    request(visibleFolders, isUrgent: true)
  }

  private var visibleFolders: [Item] = []

  func watch(_ visible: [Item], expanded: [Item]) {
    if isList { return }
    var folders = Set(roots)
    for item in visible { if let parent = store.parent(item) { folders.insert(parent) } }
    folders.formUnion(expanded)
    if folders.count == visibleFolders.count, folders.isSubset(of: visibleFolders) { return }
    visibleFolders = Array(folders)
    guard let watcher else { return }
    // What came or went between the reading and the watching has not been told.
    for folder in watcher.watch(folders.map { ($0, store.path($0)) }) where hasChanged(folder) { readAgain(folder) }
  }

  /// Whether something may have come to a folder, or gone, since it was read.
  private func hasChanged(_ item: Item) -> Bool {
    guard let folder = store.folder(item), folder.state == .read else { return false }
    return folder.date == nil || folder.date != FileSystem.status(of: FileName(bytes: store.path(item)))?.modified
  }

  /// Takes in what has come, soon.
  func schedule() {
    if isScheduled { return }
    isScheduled = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.takeSlice() } }
  }

  private func takeSlice() {
    isScheduled = false
    let end = ContinuousClock.now + Self.slice
    if isList {
      takeLines(until: end)
    } else {
      takeAnswers()
      forests[0].performUpdates {
        repeat {
          guard let (item, listing, turn) = answers.popFirst() else { break }
          take(listing, of: item, turn: turn)
        } while ContinuousClock.now < end
      }
      takeAnswers()
      if !answers.isEmpty { schedule() }
    }
    onChange()
  }

  private func takeAnswers() {
    if answers.isEmpty { answers = (scanner?.take() ?? [])[...] }
  }

  // MARK: Listings

  /// The node whose children are those of a folder.
  func node(of folder: Item) -> ForestNode<Item>? {
    let way = store.way(to: folder)
    let root = way.first.flatMap { store.parent($0) } ?? folder
    let forest = forests[root.index]
    return way.isEmpty ? forest : forest.child(at: IndexPath(indexes: way.map { Int(store[$0].position) }))
  }

  func take(_ listing: DirectoryListing, of item: Item, turn: Int) {
    // Two threads may read one directory, and the one that began first be the last to end: what it read is older.
    guard !store[item].isRemoved, let folder = store.folder(item), folder.turn < turn else { return }
    store.setReading(turn: turn, date: listing.date, of: item)
    let waiting = folder.state == .waiting ? -1 : 0
    if let problem = listing.problem {
      store.setState(.failed(problem), of: item)
      store.add(waiting: waiting, to: item)
      // What has gone is taken out by its parent's next listing.
      if roots.contains(item), store.children(item).isEmpty {
        failure = Command.Failure(
          code: 2, description: "this could not be read: \(text(item)): \(FileSystemError(code: problem))")
      }
      return
    }
    store.setState(.read, of: item)
    store.add(waiting: waiting, to: item)
    guard let node = node(of: item) else { return }
    let diff = ListingDiff(listing, of: item, in: &store, order: order)
    diff.apply(to: node)
    store.add(diff.totals, waiting: diff.waiting, to: item)
    let device = folder.device
    if let scope = listing.scope { lead(scope, to: item, changesPatterns: diff.changesPatterns) }
    request(diff.newFolders.reversed().filter { store.folder($0)?.device == device }, isUrgent: false)
  }

  /// Says what patterns leave out in the folders of a directory; where they have changed, these are read again.
  private func lead(_ scope: EntryScope, to directory: Item, changesPatterns: Bool) {
    let isReread = rereads.remove(directory) != nil
    for folder in store.children(directory) where store.isFolder(folder) {
      scopes[folder] = scope.below(FileName(bytes: Array(store.name(folder))))
      guard changesPatterns || isReread, store.folder(folder)?.state == .read else { continue }
      rereads.insert(folder)
      request([folder], isUrgent: false)
    }
  }
}
