import Assemblage
import AssemblageSearch
import AssemblageTerminal
import Foundation

/// Shows directories, or a list of paths, in a terminal outline.
///
///     DirectoryScanner ──▶ listings ──▶ BrowseStore: names, sizes, totals
///     PathScanner ──▶ lines ──┘    └──▶ ForestNode ──▶ TreeFilterNode ──▶ TreeSortNode ──▶ OutlineNode
///
/// The store adopts each listing, and the forest receives only the differences. This takes some milliseconds at a time,
/// so that keys are handled in between. Items keep their numbers when a directory is read again. So expanded and marked
/// rows stay so, and the current row stays the current one.
@MainActor
final class EntryBrowser: BrowseSource {
  let store: BrowseStore
  let roots: [Item]
  let forests: [ForestNode<Item>]
  let isList: Bool
  /// The kinds of entries that are left out at the moment, and are not counted.
  private(set) var hiding: TerminalHiding = []
  private(set) var contents: TerminalContents<Item, Item>
  var onChange: () -> Void = {}
  var failure: Command.Failure?

  /// The file of the last preview.
  var files = FilePreview()

  private let colors: LSColors
  private let order: NameOrder
  let units: SizeUnits
  let visibility: Visibility
  /// The scopes of directories, which decide the entries that patterns leave out; empty without patterns.
  private var scopes: [Item: EntryScope] = [:]
  /// The directories that are read again because patterns above them have changed.
  private var rereads: Set<Item> = []
  /// The directories that are read again because a user requests it.
  private var reloading: Set<Item> = []
  /// The time of the last complete reading.
  private var readAt: Date?
  private var scanner: DirectoryScanner?
  private var answers: ArraySlice<DirectoryScanner.Answer> = []
  private var isScheduled = false
  private var watcher: DirectoryWatcher?
  var paths: PathScanner?
  /// Finds the entries of the paths of a list.
  var table = PathTable()
  /// The part of a list that was read, and the start of the next path in this part.
  var input: [UInt8] = []
  var next = 0
  /// The separator between paths.
  var separator: UInt8
  let list: BrowsedList

  /// The time for which the terminal waits for work on input from the disk.
  static let slice = Duration.milliseconds(8)

  /// Creates the outline of directories, or of a list if there are no directories.
  ///
  /// - Parameters:
  ///   - directories: the paths in the form that a user gave; several directories are shown as one list.
  ///   - colors: the colours of names.
  ///   - visibility: the patterns of entries that are left out. The terminal's outline itself leaves out names that
  ///     begin with a point.
  ///   - order: the order of names.
  ///   - units: the units of sizes.
  ///   - list: the source of a list.
  init(
    directories: [FileName], colors: LSColors, visibility: Visibility = Visibility(), order: NameOrder = .natural,
    units: SizeUnits = .decimal, list: BrowsedList = BrowsedList()
  ) {
    isList = directories.isEmpty
    (self.colors, self.visibility, self.order, self.list) = (colors, visibility, order, list)
    self.units = units
    separator = list.isSeparatedByNull ? 0 : 0x0A
    let store = BrowseStore()
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
      text: { [store] in store.text($0) }, row: { rowLook.row($0) },
      makeIndex: { [store] hiding in
        TextIndex(of: source, reading: .later, text: { store.isShown($0, hiding) ? store.text($0) : "" })
      })
    contents.isShown = { [store] in store.isShown($0, $1) }
    // The given directories are ancestors of all entries, so they do not distinguish entries in a search.
    contents.parent = { [store] in store.parent($0).flatMap { store.parent($0) == nil ? nil : $0 } }
    contents.hidings = visibility.hasPatterns ? [.hidden, .ignored] : .hidden
    contents.orders = orders
    contents.sourceOrder = { [store] in
      // Siblings at the top may be entries of different directories.
      (store[$0].parent, store[$0].position) < (store[$1].parent, store[$1].position)
    }
    contents.title = { [unowned self] in title($0) }
    contents.hides = { [unowned self] in hiding = $0 }
    contents.summary = { [unowned self] in summary }
    contents.total = { [unowned self] in store.count(without: hiding) }
    contents.hiddenTotal = { [unowned self] in store.count() - store.count(without: hiding) }
    contents.progress = { [unowned self] in progress }
    contents.preview = { [unowned self] in preview($0, in: $1) }
    contents.look = { [unowned self] in look(at: $0) }
    contents.typedName = { [unowned self] in typedName($0) }
    contents.element = { [store] in store[$0].isRemoved ? nil : $0 }
    contents.hasFiles = !isList
    return contents
  }

  // MARK: Words

  private func title(_ item: Item?) -> String {
    if let item { return store.path(item, withRoot: !isList).printed }
    return isList ? list.title : roots.map { store.text($0) }.joined(separator: " + ")
  }

  private var summary: String {
    let folders = roots.compactMap { store.folder($0) }
    let files = counted(folders.reduce(0) { $0 + $1.totals.files(without: hiding) }, "file", "files")
    if isList { return files }
    let size = units.format(folders.reduce(0) { $0 &+ $1.totals.size(without: hiding) })
    // Directories that are not on the screen are not watched, and may have changed since.
    let isOld = visibleFolders.count < store.folders.count
    let problems = roots.compactMap { root -> String? in
      guard case .failed(let code)? = store.folder(root)?.state else { return nil }
      return "\(store.text(root)) could not be read: \(FileSystemError(code: code))"
    }
    return (["\(files), \(size)" + (isOld ? readAt.map { " at \(Self.timeOfDay($0))" } ?? "" : "")] + problems)
      .joined(separator: " · ")
  }

  /// The hour and minute of a time, in the user's time zone.
  private static func timeOfDay(_ date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970) + TimeZone.current.secondsFromGMT(for: date)
    return String(formattedDate(seconds).suffix(5))
  }

  private var progress: String? {
    if isList { return paths == nil ? nil : "reading \(grouped(store.count())) …" }
    let waiting = roots.reduce(0) { $0 + (store.folder($1)?.waiting ?? 0) }
    if waiting > 0 { return "reading, \(counted(waiting, "folder", "folders")) to go" }
    return reloading.isEmpty ? nil : "reading again, \(counted(reloading.count, "folder", "folders")) to go"
  }

  private var orders: [TerminalOrder<Item>] {
    let byPosition: (Item, Item) -> Bool = { [store] in store[$0].position < store[$1].position }
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
      TerminalOrder("d", "date", descending { [store] in store[$0].modified }),
      type,
    ]
  }

  func size(_ item: Item) -> Int { store.folder(item)?.totals.size(without: hiding) ?? store[item].size }

  private func fileExtension(_ item: Item) -> String {
    GroupTree.fileExtension(store.name(item))
  }

  func output(_ item: Item, _ part: TerminalAction<Item>.Part) -> [UInt8] {
    let path = filePath(item)
    // Programs would treat a name that begins with a hyphen as an option.
    return path.first == UInt8(ascii: "-") ? Array("./".utf8) + path : path
  }

  func file(_ item: Item) -> [UInt8]? { isList ? nil : output(item, .path) }

  /// The path of an entry.
  ///
  /// Below the current directory, the path omits this directory.
  private func filePath(_ item: Item) -> [UInt8] {
    let root = store.way(to: item).first.flatMap { store.parent($0) }
    let isBelowHere = root.map { store.name($0).elementsEqual(".".utf8) } ?? false
    return store.path(item, withRoot: !isList && !isBelowHere).bytes
  }

  // MARK: Reading

  func start() {
    if isList { return startList() }
    scanner = DirectoryScanner(order: order) { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.schedule() } }
    }
    watcher = DirectoryWatcher { [weak self] item in self?.readAgain(item) }
    watch([], expanded: [])
    for root in roots {
      if visibility.hasPatterns {
        scopes[root] = EntryScope(of: store.path(root), visibility, .local)
      }
      request([root], isUrgent: true)
    }
  }

  func stop() {
    scanner?.stop()
    watcher?.stop()
    paths?.stop()
  }

  /// Requests directories that have not been read, or could not be read.
  private func request(_ items: [Item], isUrgent: Bool) {
    for item in items {
      switch store.folder(item)?.state {
      case .unread, .failed:
        store.setState(.waiting, of: item)
        store.add(waiting: 1, to: item)
      default: break
      }
    }
    scanner?.read(items.map { .init(item: $0, path: store.path($0).bytes, scope: scopes[$0]) }, isUrgent: isUrgent)
  }

  private func look(at item: Item) {
    guard !isList, let folder = store.folder(item), folder.state != .read else { return }
    request([item], isUrgent: true)
  }

  /// Reads a directory again, before others.
  func readAgain(_ item: Item) {
    guard !store[item].isRemoved else { return }
    request([item], isUrgent: true)
  }

  func reload() -> Bool {
    guard !isList else { return false }
    var read: [Item] = []
    var open = roots
    while let item = open.popLast() {
      guard let folder = store.folder(item), folder.state != .unread else { continue }
      read.append(item)
      open += folder.children.filter { store.isFolder($0) }
    }
    reloading = Set(read)
    // The first directory of the list is read last, and the directories on the screen are read before all others.
    request(read.reversed(), isUrgent: false)
    request(visibleFolders, isUrgent: true)
    // A directory that had gone may exist again.
    needsWatching = true
    return true
  }

  private var visibleFolders: [Item] = []
  private var needsWatching = false

  func watch(_ visible: [Item], expanded: [Item]) {
    if isList { return }
    var folders = Set(roots)
    for item in visible { if let parent = store.parent(item) { folders.insert(parent) } }
    folders.formUnion(expanded)
    if !needsWatching, folders.count == visibleFolders.count, folders.isSubset(of: visibleFolders) { return }
    needsWatching = false
    visibleFolders = Array(folders)
    guard let watcher else { return }
    // Changes between the reading and the watching were not reported.
    for folder in watcher.watch(folders.map { ($0, store.path($0).bytes) }) where hasChanged(folder) {
      readAgain(folder)
    }
  }

  /// Whether entries may have arrived in a folder, or left it, since the folder was read.
  private func hasChanged(_ item: Item) -> Bool {
    guard let folder = store.folder(item), folder.state == .read else { return false }
    return folder.date == nil || folder.date != FileSystem.status(of: store.path(item))?.modified
  }

  /// Schedules the work on new input.
  func schedule() {
    if isScheduled { return }
    isScheduled = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.takeSlice() } }
  }

  private func takeSlice() {
    isScheduled = false
    let end = ContinuousClock.now + Self.slice
    if isList {
      takePaths(until: end)
    } else {
      let wasReloading = !reloading.isEmpty
      takeAnswers()
      forests[0].performUpdates {
        repeat {
          guard let (item, listing, turn) = answers.popFirst() else { break }
          take(listing, of: item, turn: turn)
        } while ContinuousClock.now < end
      }
      takeAnswers()
      if !answers.isEmpty { schedule() }
      // Between complete readings, only watched folders are read again.
      if progress == nil, readAt == nil || wasReloading { readAt = Date() }
    }
    onChange()
  }

  private func takeAnswers() {
    if answers.isEmpty { answers = (scanner?.take() ?? [])[...] }
  }

  // MARK: Listings

  /// The node whose children are the children of a folder.
  func node(of folder: Item) -> ForestNode<Item>? {
    let way = store.way(to: folder)
    let root = way.first.flatMap { store.parent($0) } ?? folder
    let forest = forests[root.index]
    return way.isEmpty ? forest : forest.child(at: IndexPath(indexes: way.map { Int(store[$0].position) }))
  }

  func take(_ listing: DirectoryListing, of item: Item, turn: Int) {
    reloading.remove(item)
    // Two threads may read one directory, and the thread that began first may end last: then its listing is older.
    guard !store[item].isRemoved, let folder = store.folder(item), folder.turn < turn else { return }
    store.setReading(turn: turn, date: listing.date, of: item)
    let waiting = folder.state == .waiting ? -1 : 0
    if let problem = listing.problem {
      store.setState(.failed(problem), of: item)
      store.add(waiting: waiting, to: item)
      // If a directory has gone, the next listing of its parent removes it. A root has no parent, so an empty listing
      // of its own removes its children.
      guard roots.contains(item) else { return }
      if folder.turn == 0 {
        failure = Command.Failure(
          code: 2, description: "this could not be read: \(store.text(item)): \(FileSystemError(code: problem))")
      } else if problem == ENOENT || problem == ENOTDIR {
        apply(DirectoryListing(), to: item)
      }
      return
    }
    store.setState(.read, of: item)
    store.add(waiting: waiting, to: item)
    guard let diff = apply(listing, to: item) else { return }
    let device = folder.device
    if let scope = listing.scope { lead(scope, to: item, changesPatterns: diff.changesPatterns) }
    request(diff.newFolders.reversed().filter { store.folder($0)?.device == device }, isUrgent: false)
  }

  /// Updates the store with a listing, and applies the differences to the forest.
  @discardableResult
  private func apply(_ listing: DirectoryListing, to folder: Item) -> ListingDiff? {
    guard let node = node(of: folder) else { return nil }
    let diff = ListingDiff(listing, of: folder, in: store, order: order)
    diff.apply(to: node)
    store.add(diff.totals, waiting: diff.waiting, to: folder)
    return diff
  }

  /// Passes the scope of a directory to its folders.
  ///
  /// If the patterns have changed, these folders are read again.
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
