import AssemblageTerminal

/// The parsed options of the command line.
struct Options: Equatable {
  enum Format: Equatable { case text, json }
  enum Sort: String, Equatable, CaseIterable { case name, bytes, size, date }
  enum Group: String, Equatable, CaseIterable { case byExtension = "extension" }
  enum Input: String, Equatable, CaseIterable { case json, ndjson, paths }
  enum Shell: String, Equatable, CaseIterable { case bash, zsh, fish }
  /// The type of an entry.
  ///
  /// The type `x` contains executable files, which are also of type `f`.
  enum EntryType: String, Equatable, CaseIterable { case d, f, l, x }

  /// The given paths: a JSON document, `-` for standard input, or directories.
  ///
  /// Several directories are shown as one list.
  var paths: [FileName] = []
  /// Whether several directories are shown as one list.
  var joins = false
  /// The kind of input in a file or standard input; nil if it must be recognised.
  var input: Input?
  /// Shows only names and texts that contain this; nil shows all.
  var filter: String?
  /// Shows only names of which this matches a part; nil shows all.
  var regex: RegularExpression?
  /// Shows only names or paths that this matches; nil shows all.
  var glob: FileName?
  /// The types of entries that are shown; nil shows all.
  var types: Set<EntryType>?
  /// The sizes and times of the entries that are shown.
  var conditions = FileConditions()
  /// Whether directories on other file systems are shown, but not read.
  var staysOnFileSystem = false
  /// The rules that decide which entries of directories are shown.
  var visibility = Visibility()
  /// The order of rows. nil sorts files by name, and keeps the members of objects in the document's order.
  var sort: Sort?
  /// Whether the paths are printed as a list.
  var isFlat = false
  /// The property by which files are grouped; nil for directories without groups.
  var group: Group?
  /// The number of levels whose branches are expanded; nil expands all.
  var expand: Int?
  /// The rows shown; nil shows all, with a title and a summary.
  var rows: Range<Int>?
  /// Whether a list of paths is separated by NUL, independent of its contents.
  var isNullSeparated = false
  /// The number of levels shown below the top; nil shows all.
  var depth: Int?
  /// The number of entries shown; nil shows all.
  var limit: Int?
  /// Whether the disk usage of files is shown beside their sizes.
  var showsUsage = false
  /// Whether permissions, owners and dates are shown before the rows.
  var isLong = false
  /// The units of sizes.
  var units = SizeUnits.decimal
  /// Whether an entry that cannot be read makes the run fail.
  var isStrict = false
  var color = ColorChoice.auto
  var format = Format.text
  /// Whether the outline is shown on the terminal, and the chosen entries are printed.
  var browses = false
  /// Whether the only match of the first search is printed at once.
  var choosesOnlyMatch = false
  /// The number of lines below the cursor that `--browse` uses; nil for the whole screen.
  var height: Int?
  /// The text of the line below the title of `--browse`.
  var header: String?
  /// The text before a search of `--browse`; nil for `/`.
  var prompt: String?
  /// The commands of keys in `--browse`.
  var bindings: [TerminalBinding] = []
  var wantsHelp = false
  var wantsVersion = false
  /// The shell whose completions are printed; nil for an outline.
  var completions: Shell?
  /// The shell whose function is printed; nil for an outline.
  var shell: Shell?

  /// Whether the output is a text, and not an outline.
  var wantsText: Bool { wantsHelp || wantsVersion || completions != nil || shell != nil }

  /// Whether the terminal is used, because no text is requested.
  var isBrowsing: Bool { browses && !wantsText }

  /// The number of levels shown; nil shows all.
  var levels: Int? { depth ?? expand.map { $0 < .max ? $0 + 1 : $0 } }

  /// The order of siblings that are sorted by their names.
  var nameOrder: NameOrder { sort == .bytes ? .bytes : .natural }

  /// Whether only a part of the entries is shown.
  var hasFilter: Bool { filter != nil || regex != nil || glob != nil || types != nil || !conditions.isEmpty }

  /// The entries of directories of which more is read than names and kinds.
  ///
  /// The other properties take the system more time than all else together.
  func needs(hasColors: Bool) -> PropertyNeeds {
    let comparesProperties = staysOnFileSystem || !conditions.isEmpty || types?.contains(.x) == true
    if isLong || showsUsage || hasColors || sort == .date || sort == .size || comparesProperties { return .all }
    if isFlat, format == .text { return .nothing }
    // A pattern is not asked twice, because that takes longer than to read the properties. Files count in the
    // directories that alone are shown.
    let hasQuickFilter = filter != nil && regex == nil && glob == nil && types != [.d]
    return hasQuickFilter ? .matches : .all
  }

  /// Whether standard input is shown.
  var readsStandardInput: Bool { paths == ["-"] }

  /// Whether only the directories that are shown are read.
  var isLazy: Bool {
    (expand != nil || rows != nil) && !hasFilter && sort != .size && group == nil && !showsUsage && !isFlat
  }
}

/// The entries of directories of which all properties are read.
enum PropertyNeeds {
  case nothing
  /// The entries whose names match, and all directories.
  case matches
  case all
}

/// An error in the command line, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String
}
