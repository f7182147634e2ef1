import Assemblage

/// Shows directories, or a list of paths, as a tree.
///
/// A directory is read when its children are requested. All directories are read at once if counts, sizes or a filter
/// need them. A list of paths is complete from the beginning.
final class EntryTree: ItemTree {
  let store: EntryStore
  let roots: [Item]
  /// Reads directories; nil for a list of paths.
  private let loader: DirectoryLoader?
  /// The entries that could not be read.
  private(set) var problems: [DirectoryLoader.Problem] = []
  /// The counts of all descendants, after everything was read.
  private(set) var totals: EntryTotals?
  let options: Options
  /// The filter of names; nil without one.
  private(set) var names: NameFilter?
  /// Parts of the options that are asked for each entry.
  private let (hasNames, comparesPaths): (Bool, Bool)
  private let showsOnlyDirectories: Bool
  private let needs: PropertyNeeds
  /// The colours of names; nil without colours.
  let look: Look?
  /// The scopes of directories that are not read yet: a scope decides which entries are shown.
  private var scopes: [Int: EntryScope] = [:]
  /// The file system of each root; empty if other file systems are read as well.
  private var devices: [Int: Int] = [:]
  /// The directories that are on another file system, and are not read.
  private(set) var foreign: Set<Int> = []
  /// The names of owners.
  private var permissions = Permissions()
  /// The results of the filter, by name, or by entry if the filter compares paths; 0 if there is no result yet.
  private var verdicts: [UInt8] = []

  /// Creates a tree of directories that are not read yet.
  convenience init(directories: [FileName], loader: DirectoryLoader, options: Options, colors: LSColors? = nil) {
    let store = EntryStore()
    let roots = directories.map { store.addRoot(Entry(name: $0, kind: .directory)) }
    self.init(store, roots, loader, options, colors)
    for (root, path) in zip(roots, directories) {
      scopes[root.index] = EntryScope(of: path, options.visibility, loader.fileSystem)
      if options.staysOnFileSystem { devices[root.index] = loader.fileSystem.device(path) }
    }
  }

  /// Creates a tree of paths that have been read.
  ///
  /// - Parameters:
  ///   - store: the entries; the first entry is the root.
  ///   - options: the options of the command line.
  ///   - colors: the colours of names; nil without colours.
  convenience init(paths store: EntryStore, options: Options, colors: LSColors? = nil) {
    self.init(store, [Item(0)], nil, options, colors)
    totals = EntryTotals(store, isFiltered: options.hasFilter, where: isCounted)
  }

  private init(
    _ store: EntryStore, _ roots: [Item], _ loader: DirectoryLoader?, _ options: Options, _ colors: LSColors?
  ) {
    (self.store, self.roots, self.loader, self.options) = (store, roots, loader, options)
    let names = NameFilter(options, hasPaths: true)
    self.names = names
    (hasNames, comparesPaths) = (names != nil, names?.comparesPaths == true)
    showsOnlyDirectories = options.types == [.d]
    needs = options.needs(hasColors: colors != nil)
    look = colors.map { Look(colors: $0, filter: names) }
  }

  /// Whether the entries have sizes and dates.
  var hasSizes: Bool { loader != nil }
  var isSortedByDate: Bool { options.sort == .date }
  /// A description of the filter, to follow the word "files".
  var filterText: String {
    let types = options.types.map { " of type " + $0.map(\.rawValue).sorted().joined(separator: ", ") } ?? ""
    let conditions = options.conditions.isEmpty ? nil : options.conditions.phrase(options.units.format)
    let phrases = [conditions, names?.phrase].compactMap { $0 }.joined(separator: " and ")
    return showsOnlyDirectories ? "" : types + (phrases.isEmpty ? "" : " " + phrases)
  }

  // MARK: Reading

  /// Reads all descendants of the roots, in depth-first order, and counts them.
  func loadAll() {
    guard loader != nil, totals == nil else { return }
    var open = Array(roots.reversed())
    while let item = open.popLast() {
      load(item)
      for index in (store.children(item) ?? 0..<0).reversed() where store.isDirectory(Item(index)) {
        open.append(Item(index))
      }
    }
    totals = EntryTotals(store, isFiltered: options.hasFilter, where: isCounted)
  }

  private func load(_ item: Item) {
    guard let loader, isBranch(item), store.children(item) == nil else { return }
    guard var scope = scopes.removeValue(forKey: item.index) else { return }
    let listing = loader.load(store.path(item), where: needsProperties, scope: &scope, problems: &problems)
    if let error = listing.error { store.setError(error, of: item) }
    if store.parent(item) == nil { store.setUsage(listing.usage, of: item) }
    if listing.entries.isEmpty, listing.leftOut > 0 { store.setLeftOut(listing.leftOut, of: item) }
    let first = store.count
    store.addChildren(listing.entries, to: item)
    let device = devices.isEmpty ? nil : devices[root(of: item).index]
    for (index, entry) in zip(first..., listing.entries) where entry.kind == .directory {
      if let device, entry.device != device { foreign.insert(index) } else { scopes[index] = scope.below(entry.name) }
    }
    loader.progress(store.count - roots.count)
  }

  private func needsProperties(_ name: FileName) -> Bool {
    switch needs {
    case .nothing: false
    case .matches: names?.matches(name.bytes.span) != false
    case .all: true
    }
  }

  private func root(of item: Item) -> Item {
    var item = item
    while let parent = store.parent(item) { item = parent }
    return item
  }

  /// Whether a file is counted.
  ///
  /// If only directories are shown, each directory counts with all of its files.
  private func isCounted(_ item: Item) -> Bool { showsOnlyDirectories || isShown(item) }

  /// Whether an entry that is no directory is shown.
  func isShown(_ item: Item) -> Bool { isOfShownType(item) && meetsConditions(item) && hasShownName(item) }

  private func meetsConditions(_ item: Item) -> Bool {
    if options.conditions.isEmpty { return true }
    let (kind, size, date) = (store.kind(item), store.size(item), store.date(item))
    return options.conditions.matches(kind, size: size, date: date)
  }

  private func isOfShownType(_ item: Item) -> Bool {
    guard let types = options.types else { return true }
    return switch store.kind(item) {
    case .directory: types.contains(.d)
    case .link: types.contains(.l)
    case .file: types.contains(.f) || types.contains(.x) && store.mode(item) & 0o111 != 0
    case .other, .unknown: false
    }
  }

  private func hasShownName(_ item: Item) -> Bool {
    guard hasNames else { return true }
    let place = comparesPaths ? item.index : store.nameNumber(item)
    if place >= verdicts.count {
      let count = comparesPaths ? store.count : store.names.count
      verdicts += repeatElement(0, count: count - verdicts.count)
    }
    if verdicts[place] == 0 {
      let name = store.nameBytes(item)
      let path = comparesPaths ? store.path(item, withRoot: false).bytes : []
      let matches = names?.matches(name.span, path: path.span)
      verdicts[place] = matches == true ? 1 : 2
    }
    return verdicts[place] == 1
  }

  /// The name of the owner of an entry.
  func owner(_ item: Item) -> String { permissions.name(ofUser: store.owner(item)) }

  // MARK: The tree

  var node: any TreeNode<Item> {
    guard isKnown else {
      return HierarchyNode(
        roots: { self.top }, id: { $0 }, hasChildren: { self.isBranch($0) }, children: { self.children(of: $0) })
    }
    return ForestNode(top) { item in
      let children = self.children(of: item)
      return children.isEmpty ? nil : children
    }
  }

  /// The top rows.
  private var top: [Item] { roots.flatMap { children(of: $0) } }

  /// Everything that has been counted has been read.
  var isKnown: Bool { totals != nil }

  var filter: ItemFilter? {
    guard options.hasFilter else { return nil }
    let showsDirectories = options.types?.contains(.d) == true
    return ItemFilter(policy: .keepingAncestors) { (showsDirectories || !self.isBranch($0)) && self.isShown($0) }
  }

  var hasMatches: Bool {
    guard let filter else { return true }
    return (roots.count..<store.count).contains { filter.predicate(Item($0)) }
  }

  func isBranch(_ item: Item) -> Bool { store.isDirectory(item) }

  func children(of item: Item) -> [Item] {
    load(item)
    return sorted((store.children(item) ?? 0..<0).map { Item($0) })
  }

  /// Sorts entries that are in the order of their names, or of their paths.
  func sorted(_ items: [Item]) -> [Item] {
    switch options.sort {
    case nil, .name, .bytes: items
    case .size: items.sorted { (size($0), $1.number) > (size($1), $0.number) }
    case .date: items.sorted { (store.date($0), $1.number) > (store.date($1), $0.number) }
    }
  }

  /// The bytes of a file, or of all files below a directory.
  private func size(_ item: Item) -> Int {
    isBranch(item) ? totals?.summary(item).size ?? 0 : store.size(item)
  }
}
