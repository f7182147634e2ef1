extension Options {
  static let help = """
    Prints the outline of a directory: its files with their sizes, its directories with the number and total
    size of the files below. Or that of a JSON document, or of a list of paths.

    USAGE: swift run -c release outline [options] DIRECTORY
           swift run -c release outline [options] --join DIRECTORY…
           swift run -c release outline [options] FILE.json
           git ls-files | swift run -c release outline [options] -
           swift run -c release outline --browse [options] [DIRECTORY | FILE.json | -]

    WHAT TO SHOW
      DIRECTORY      its files and directories, sorted by name. Symbolic links below it are shown, not followed.
                     A directory that can't be read is reported at the end, on standard error, and does not stop
                     the rest.
                       outline Sources
      FILE           a JSON document (RFC 8259, UTF-8, up to 2 GiB): objects and arrays with what is in them, in
                     the document's order. Strings are cut after 200 bytes, except with --json.
                       outline package.json
      -              the paths on standard input, one a line; or each ended by NUL where there is a NUL in the
                     list. They are not looked up: what ends with / or leads to another is a directory. A directory
                     of that name is ./-
                       git ls-files | outline -
      --join         show the entries of several directories as one list
                       outline --join Sources Tests
      --null, -0     the paths on standard input are separated by NUL, even if there is only one
                       find . -name '*.swift' -print0 | outline --null -
      --             everything that follows is a path
                       outline -- --odd-name

    WHICH ROWS
      --filter TEXT  show only the files whose names contain TEXT, in whatever case, and the directories that
                     lead to them; counts and sizes are those of the files shown. In JSON: the values whose name
                     or text contains TEXT, what leads to them, and what is in them.
                       outline --filter test Sources
      --depth N      show N levels of entries; directories below are counted, not opened
                       outline --depth 1 /usr
      --expand N     expand N levels of directories, so that N + 1 are shown. What is collapsed is not even read,
                     and so not counted, unless --filter, --group or --sort size need it.
                       outline --expand 0 /
      --limit N      show the first N entries, and tell how many were left out
                       outline --limit 20 /usr
      --rows A..<B   print only the rows from A to B - 1, counted from 0, each with its number and its depth,
                     separated by tabs. Directories below the last of them are not read. Where there are fewer
                     than B rows, those that there are; that there is no row A is an error.
                       outline --rows '100..<120' /usr

    IN WHICH ORDER
      --sort name    by name, which is how files are sorted anyway; in JSON the members of objects
                       outline --sort name package.json
      --sort size    the largest first; directories count with everything below, and members of JSON objects with
                     the number of values in them. Elements of JSON arrays keep their order.
                       outline --sort size --depth 1 /usr
      --sort date    the last changed first, with the date (UTC); for directories only
                       outline --sort date --limit 10 Docs
      --group extension
                     files by their extension, with their paths; for directories and lists
                       git ls-files | outline --group extension --expand 0 -

    ON A TERMINAL
      --browse       show the outline on the terminal, to walk through it, search it and choose from it: ? shows the
                     keys, Enter prints what was chosen. Without a path, of the current directory. With --filter it
                     begins with a search, with --sort and --expand in an order and with levels; --null ends what is
                     printed with NUL.
                       cd "$(outline --browse)"

    OTHERWISE
      --json         print one JSON document: an object with name, kind, size, files and children; with --rows
                     a list of rows, each with its number and depth
                       outline --json --depth 1 Sources
      --help, -h     print this
                       outline --help

    Control characters in names and texts are printed as escapes. Rows deeper than 500 levels are indented as those,
    and say their depth.

    EXIT CODES: 0 done; 1 done, but for entries below that could not be read; 2 there is nothing at a PATH, or it
    can't be opened; 64 bad option; 65 what was given is no JSON document or no list of paths; 74 the output could not be
    written;
    69 there is no terminal for --browse; 130 it was ended with ^C.
    """
}
