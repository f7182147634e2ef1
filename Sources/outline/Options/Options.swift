/// What the command line asks for.
struct Options: Equatable {
  enum Format: Equatable { case text, json }
  enum Sort: String, Equatable, CaseIterable { case name, bytes, size, date }
  enum Group: String, Equatable, CaseIterable { case byExtension = "extension" }
  enum Input: String, Equatable, CaseIterable { case json, ndjson, paths }
  enum Shell: String, Equatable, CaseIterable { case bash, zsh, fish }
  /// What an entry is; `x` are the files that can be executed, which are also of type `f`.
  enum EntryType: String, Equatable, CaseIterable { case d, f, l, x }

  /// What to show, as given: a JSON document, `-` for standard input, or directories; several of them as one list.
  var paths: [FileName] = []
  /// Whether several directories are shown as one list.
  var joins = false
  /// What a file or standard input holds; nil where that is to be recognised.
  var input: Input?
  /// Shows only what contains this; nil shows all.
  var filter: String?
  /// Shows only what this matches a part of; nil shows all.
  var regex: RegularExpression?
  /// Shows only what this matches; nil shows all.
  var glob: FileName?
  /// The types of entries that are shown; nil shows all.
  var types: Set<EntryType>?
  /// Whether directories on other file systems are shown, and not read.
  var staysOnFileSystem = false
  /// Which entries of directories are shown.
  var visibility = Visibility()
  /// What rows are sorted by; nil: files by name, and the members of objects as they stand.
  var sort: Sort?
  /// Whether the paths are printed as a list.
  var isFlat = false
  /// What files are grouped by; nil for directories as they are.
  var group: Group?
  /// The number of levels whose branches are expanded; nil expands all.
  var expand: Int?
  /// The rows shown; nil shows all, with a title and a summary.
  var rows: Range<Int>?
  /// Whether a list of paths is separated by NUL, whatever is in it.
  var isNullSeparated = false
  /// The number of levels shown below the top; nil shows all.
  var depth: Int?
  /// The number of entries shown; nil shows all.
  var limit: Int?
  /// Whether what files take on the disk is shown beside their sizes.
  var showsUsage = false
  /// Whether an entry that cannot be read makes the run fail.
  var isStrict = false
  var color = ColorChoice.auto
  var format = Format.text
  /// Whether the outline is shown on the terminal, and what is chosen there is printed.
  var browses = false
  /// Whether the only match of the first search is printed at once.
  var choosesOnlyMatch = false
  var wantsHelp = false
  var wantsVersion = false
  /// The shell whose completions are printed; nil for an outline.
  var completions: Shell?
  /// The shell whose function is printed; nil for an outline.
  var shell: Shell?

  /// Whether something is printed that is no outline.
  var wantsText: Bool { wantsHelp || wantsVersion || completions != nil || shell != nil }

  /// Whether the terminal is used, and not asked for something that is printed.
  var isBrowsing: Bool { browses && !wantsText }

  /// The number of levels shown; nil shows all.
  var levels: Int? { depth ?? expand.map { $0 < .max ? $0 + 1 : $0 } }

  /// The order of siblings that are sorted by their names.
  var nameOrder: NameOrder { sort == .bytes ? .bytes : .natural }

  /// Whether only a part of the entries is shown.
  var hasFilter: Bool { filter != nil || regex != nil || glob != nil || types != nil }

  /// Whether standard input is shown.
  var readsStandardInput: Bool { paths == ["-"] }

  /// Whether directories are read only as far as they are shown.
  var isLazy: Bool {
    (expand != nil || rows != nil) && !hasFilter && sort != .size && group == nil && !showsUsage && !isFlat
  }
}

/// A command line that is not understood, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String
}
