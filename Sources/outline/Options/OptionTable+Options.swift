import Foundation

extension OptionTable {
  static let what = [
    OptionSpec(
      names: ["DIRECTORY"], section: .what,
      help: """
        its files and directories, sorted by name; the current directory where nothing is given. Entries whose names begin \
        with a point are left out. Symbolic links below it are shown, not followed. A directory that can't be read is \
        reported at the end, on standard error, and does not stop the rest.
        """,
      example: "outline Sources"),
    OptionSpec(
      names: ["FILE"], section: .what,
      help: """
        a JSON document (RFC 8259, UTF-8, up to 2 GiB), or several of them, as NDJSON has one a line: objects and arrays \
        with what is in them, in the document's order. Strings are cut after 200 bytes, except with --json. A pipe, \
        <(COMMAND) of the shell, is read like standard input.
        """,
      example: "outline package.json"),
    OptionSpec(
      names: ["-"], section: .what,
      help: """
        standard input: JSON where it looks like that, else paths, one a line; or each ended by NUL where there is a NUL in \
        the list. Paths are not looked up: what ends with / or leads to another is a directory. A directory of that name \
        is ./-
        """,
      example: "git ls-files | outline -"),
    OptionSpec(
      names: ["--input"], value: .words(Options.Input.allCases.map { OptionSpec.Choice(word: $0.rawValue) }),
      section: .what, brief: "what the file or standard input holds",
      help: "what FILE or standard input holds: json, ndjson or paths, where it is not to be recognised",
      example: "outline --input paths list.txt", apply: { $0.input = try $1.word() }),
    OptionSpec(
      names: ["--join"], value: .optionalPath, section: .what, brief: "show several directories as one list",
      help: "show the entries of several directories as one list", example: "outline --join Sources Tests",
      apply: { options, value in
        options.joins = true
        // `--join=A B` and `--join A B` are the same.
        if let path = value.bytes { options.paths.append(path) }
      }),
    OptionSpec(
      names: ["--null", "-0"], section: .what, brief: "the paths are separated by NUL",
      help: """
        the paths of a list are separated by NUL, even if there is only one; with --flat, those that are printed are ended \
        by NUL
        """,
      example: "find . -name '*.swift' -print0 | outline --null -",
      apply: { options, _ in options.isNullSeparated = true }),
    OptionSpec(
      names: ["--"], section: .what, help: "everything that follows is a path", example: "outline -- --odd-name"),
  ]

  static let which = [
    OptionSpec(
      names: ["--all", "-a"], section: .which, brief: "show hidden entries, too",
      help: "show entries whose names begin with a point, too; lists of paths are shown as they are anyway",
      example: "outline --all Sources", apply: { options, _ in options.visibility.showsHidden = true }),
    OptionSpec(
      names: ["--exclude"], value: .text("GLOB"), section: .which, brief: "leave out what matches a pattern",
      help: """
        leave out the files and directories that match GLOB, a pattern as in .gitignore; for directories and lists, and as \
        often as needed
        """,
      example: "outline --exclude '*.o' --exclude build/ .",
      apply: { options, value in options.visibility.excluded.append(try value.ignorePattern()) }),
    OptionSpec(
      names: ["--gitignore"], section: .which, brief: "leave out what git ignores",
      help: """
        leave out what git ignores by .gitignore, here, below and above up to the repository's top, by .git/info/exclude \
        and by the global file of core.excludesFile; and .git itself. Files that git follows nevertheless are left out, \
        too. A file .ignore, here, below or above, says the same for other programs, and its lines precede those of git.
        """,
      example: "outline --gitignore --all .", apply: { options, _ in options.visibility.obeysGit = true }),
    OptionSpec(
      names: ["--filter"], value: .text("TEXT"), section: .which, brief: "show only names that contain a text",
      help: """
        show only the files whose names contain TEXT, in whatever case (straße finds STRASSE), and the directories that \
        lead to them; counts and sizes are those of the files shown. In JSON: the values whose name or text contains TEXT, \
        what leads to them, and what is in them.
        """,
      example: "outline --filter test Sources", apply: { $0.filter = try $1.text() }),
    OptionSpec(
      names: ["--regex"], value: .text("PATTERN"), section: .which,
      brief: "show only names that a regular expression finds",
      help: "the same for names in which PATTERN, a regular expression as Swift has them, is found; (?i) ignores case",
      example: "outline --regex '^[A-Z].*Tests?\\.swift$' Tests",
      apply: { $0.regex = try RegularExpression(try $1.text()) }),
    OptionSpec(
      names: ["--glob"], value: .text("GLOB"), section: .which, brief: "show only names that match a pattern",
      help: """
        the same for names that GLOB matches, all of them: * are any characters, ? is one, [a-z] one of some. With a slash \
        inside, the paths from DIRECTORY on, in which ** are any directories.
        """,
      example: "outline --glob 'Sources/**/*.swift' .", apply: { $0.glob = $1.name }),
    OptionSpec(
      names: ["--type"], value: .text("d,f,l,x"), section: .which,
      brief: "show only directories, files, links, programs",
      help: """
        show only entries of these types: d directories, f files, l symbolic links, x files that can be executed; and the \
        directories that lead to them. With d, a filter is about the names of directories, too.
        """,
      example: "outline --type d,l /usr", apply: { $0.types = try $1.words() }),
    OptionSpec(
      names: ["--size"], value: .text("SIZE"), section: .which, brief: "show only files of some sizes",
      help: """
        show only files of at least SIZE (+10M), of at most SIZE (-4k), or of exactly SIZE (0), and the directories that \
        lead to them. The units are k, M, G and T, powers of 1,000, and Ki, Mi, Gi and Ti, powers of 1,024. Two of these \
        options make a range.
        """,
      example: "outline --flat --size +10M --sort size /usr", apply: { try $0.conditions.add(sizes: $1.sizes()) }),
    OptionSpec(
      names: ["--newer"], value: .text("TIME"), section: .which, brief: "show only entries changed since a time",
      help: """
        show only entries that were changed since TIME: an age, as 30s, 10min, 3h, 2d, 1w or 1y, or a date, as 2026-01-31 \
        or '2026-01-31 13:05' (UTC); and the directories that lead to them
        """,
      example: "outline --newer 2d .",
      apply: { $0.conditions.newer = try $1.time(now: Int(Date().timeIntervalSince1970)) }),
    OptionSpec(
      names: ["--older"], value: .text("TIME"), section: .which, brief: "show only entries changed before a time",
      help: "the same for entries that were changed before TIME", example: "outline --older 2026-01-01 --type f .",
      apply: { $0.conditions.older = try $1.time(now: Int(Date().timeIntervalSince1970)) }),
    OptionSpec(
      names: ["--one-file-system", "-x"], section: .which, brief: "do not read other file systems",
      help: "show the directories on which other file systems begin, and do not read them",
      example: "outline --one-file-system --depth 1 --sort size /",
      apply: { options, _ in options.staysOnFileSystem = true }),
    OptionSpec(
      names: ["--depth"], value: .text("N"), section: .which, brief: "show N levels of entries",
      help: "show N levels of entries; directories below are counted, not opened", example: "outline --depth 1 /usr",
      apply: { $0.depth = try $1.count() }),
    OptionSpec(
      names: ["--expand"], value: .text("N"), section: .which, brief: "expand N levels of directories",
      help: """
        expand N levels of directories, so that N + 1 are shown. What is collapsed is not even read, and so not counted, \
        unless a filter, --group, --disk-usage or --sort size need it.
        """,
      example: "outline --expand 0 /", apply: { $0.expand = try $1.count() }),
    OptionSpec(
      names: ["--limit"], value: .text("N"), section: .which, brief: "show the first N entries",
      help: "show the first N entries, and tell how many were left out", example: "outline --limit 20 /usr",
      apply: { $0.limit = try $1.count() }),
    OptionSpec(
      names: ["--rows"], value: .text("A..<B"), section: .which, brief: "print only some rows, with their numbers",
      help: """
        print only the rows from A to B - 1, counted from 0, each with its number and its depth, separated by tabs. \
        Directories below the last of them are not read. Where there are fewer than B rows, those that there are; that \
        there is no row A is an error, unless A is 0.
        """,
      example: "outline --rows '100..<120' /usr", apply: { $0.rows = try $1.range() }),
  ]

  static let order = [
    OptionSpec(
      names: ["--sort"],
      value: .words([
        OptionSpec.Choice(
          word: "name",
          help: """
            by name, numbers as numbers (file2 before file10), which is how files are sorted anyway; in JSON the members of \
            objects
            """,
          example: "outline --sort name package.json"),
        OptionSpec.Choice(word: "bytes", help: "by name, byte by byte", example: "outline --sort bytes Sources"),
        OptionSpec.Choice(
          word: "size",
          help: """
            the largest first; directories count with everything below, and members of JSON objects with the number of \
            values in them. Elements of JSON arrays keep their order.
            """,
          example: "outline --sort size --depth 1 /usr"),
        OptionSpec.Choice(
          word: "date", help: "the last changed first, with the date (UTC); for directories only",
          example: "outline --sort date --limit 10 Docs"),
      ]),
      section: .order, brief: "in which order", help: "", apply: { $0.sort = try $1.word() }),
    OptionSpec(
      names: ["--group"],
      value: .words([
        OptionSpec.Choice(
          word: "extension", help: "files by their extension, with their paths; for directories and lists",
          example: "git ls-files | outline --group extension --expand 0 -")
      ]),
      section: .order, brief: "in sections", help: "", apply: { $0.group = try $1.word() }),
  ]

  static let browsing = [
    OptionSpec(
      names: ["--select-1", "-1"], section: .browsing, brief: "print the only match at once",
      help: """
        with --browse and --filter: read everything first, and where one entry alone matches, print that and show nothing
        """,
      example: "vim \"$(outline --browse --select-1 --filter readme)\"",
      apply: { options, _ in options.choosesOnlyMatch = true }),
    OptionSpec(
      names: ["--height"], value: .text("N"), section: .browsing, brief: "use N lines below the cursor",
      help: "with --browse: use N lines below the cursor, and erase them at the end; the mouse is not used",
      example: "cd \"$(outline --browse --height 15)\"", apply: { $0.height = try $1.count() }),
    OptionSpec(
      names: ["--header"], value: .text("TEXT"), section: .browsing, brief: "show a text above the rows",
      help: "with --browse: show TEXT above the rows", example: "outline --browse --header 'Choose a file'",
      apply: { $0.header = try $1.text() }),
    OptionSpec(
      names: ["--prompt"], value: .text("TEXT"), section: .browsing, brief: "show a text before a search",
      help: "with --browse: show TEXT before a search, in place of /",
      example: "outline --browse --prompt 'file> ' --filter test", apply: { $0.prompt = try $1.text() }),
    OptionSpec(
      names: ["--bind"], value: .text("KEY=COMMAND"), section: .browsing, brief: "let a key run a command of the shell",
      help: """
        with --browse: let KEY run COMMAND of the shell, as often as needed. {} stands for the path of the current row, \
        {+} for those of the marked rows, or of the current row. KEY is a character, ctrl-x, alt-x, f1 to f12, or a name \
        like page-up.
        """,
      example: "outline --browse --bind 'ctrl-o=vim {+}'",
      apply: { options, value in options.bindings.append(try value.binding()) }),
    OptionSpec(
      names: ["--shell"], value: .words(Options.Shell.allCases.map { OptionSpec.Choice(word: $0.rawValue) }),
      section: .browsing, brief: "print a function that goes to what is chosen",
      help: "print ocd, a function for bash, zsh or fish: it chooses with --browse, and goes to the folder",
      example: "eval \"$(outline --shell bash)\"", apply: { $0.shell = try $1.word() }),
    OptionSpec(
      names: ["--browse"], section: .browsing, brief: "show the outline on the terminal, and print what is chosen",
      help: """
        show the outline on the terminal, to walk through it, search it and choose from it: ? shows the keys, Enter prints \
        what was chosen. A search takes terms as fzf has them: two words, dir/name, 'exact, ^begin, end$, !not, a | b. With \
        --filter it begins with one, with --sort and --expand in an order and with levels. What \
        begins with a point, and what --exclude and --gitignore leave out, is shown by the keys . and i; --null ends what \
        is printed with NUL.
        """,
      example: "cd \"$(outline --browse)\"", apply: { options, _ in options.browses = true }),
  ]

  static let otherwise = [
    OptionSpec(
      names: ["--flat"], section: .otherwise, brief: "print paths, one a line",
      help: """
        print the paths of all entries, one a line and byte by byte, and nothing else; with a filter, of those that match. \
        Directories end with a slash. With --sort size or date, the first is the largest or the newest of all.
        """,
      example: "outline --flat --type f --sort size --limit 10 /usr", apply: { options, _ in options.isFlat = true }),
    OptionSpec(
      names: ["--long", "-l"], section: .otherwise, brief: "show permissions, owners and dates",
      help: """
        show before each row the permissions, the owner and the date of the last change (UTC), and with --flat the size. \
        With --json: mode, owner and modified.
        """,
      example: "outline --long --type f --flat .", apply: { options, _ in options.isLong = true }),
    OptionSpec(
      names: ["--units"], value: .words(SizeUnits.allCases.map { OptionSpec.Choice(word: $0.rawValue) }),
      section: .otherwise, brief: "the units of sizes",
      help: "decimal: kB, MB, powers of 1,000; binary: KiB, MiB, powers of 1,024; bytes: single bytes",
      example: "outline --units binary --sort size /usr", apply: { $0.units = try $1.word() }),
    OptionSpec(
      names: ["--disk-usage"], section: .otherwise, brief: "show what files take on the disk, too",
      help: """
        show what files and directories take on the disk beside the sizes of files. In both sums a file with several names \
        (hard links) counts once.
        """,
      example: "outline --disk-usage --depth 1 /usr", apply: { options, _ in options.showsUsage = true }),
    OptionSpec(
      names: ["--color"], value: .words(ColorChoice.allCases.map { OptionSpec.Choice(word: $0.rawValue) }),
      section: .otherwise, brief: "when to use colours",
      help: """
        auto, always or never: names in the colours of LS_COLORS, and what a filter found in them highlighted. auto, which \
        holds where nothing is said, is for terminals, and not where NO_COLOR is set. JSON output has no colours.
        """,
      example: "outline --color always Sources | less -R", apply: { $0.color = try $1.word() }),
    OptionSpec(
      names: ["--json"], section: .otherwise, brief: "print JSON",
      help: """
        print one JSON document: an object with paths, kind, the counts of everything below, children, and omitted, the \
        number of entries that --limit left out. A child has name or index, kind, size, count or value, and children. With \
        --rows there are rows in place of children and omitted, each with its row number and its depth. A name that is no \
        UTF-8 has its bytes beside it, in hexadecimal digits.
        """,
      example: "outline --json --depth 1 Sources", apply: { options, _ in options.format = .json }),
    OptionSpec(
      names: ["--strict"], section: .otherwise, brief: "fail where an entry cannot be read",
      help: "end with 1 where an entry below could not be read", example: "outline --strict Sources > list.txt",
      apply: { options, _ in options.isStrict = true }),
    OptionSpec(
      names: ["--completions"], value: .words(Options.Shell.allCases.map { OptionSpec.Choice(word: $0.rawValue) }),
      section: .otherwise, brief: "print completions for a shell",
      help: "print what bash, zsh or fish need to complete these options",
      example: "source <(outline --completions bash)",
      apply: { $0.completions = try $1.word() }),
    OptionSpec(
      names: ["--version"], section: .otherwise, brief: "print the version", help: "print the version",
      example: "outline --version", apply: { options, _ in options.wantsVersion = true }),
    OptionSpec(
      names: ["--help", "-h"], section: .otherwise, brief: "print the help", help: "print this",
      example: "outline --help",
      apply: { options, _ in options.wantsHelp = true }),
  ]
}
