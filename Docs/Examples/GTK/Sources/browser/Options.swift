/// The options of the command line.
struct Options {
  /// The folder that is shown; nil: a demo tree.
  var path: String?
  /// The number of files and folders in the demo tree.
  var count = 1_000_000
  /// The file to which the program writes the content of its window.
  var dump: String?
  /// Whether the program measures, and then ends.
  var measures = false

  static let usage = """
    usage: browser [FOLDER] [--count N] [--dump FILE] [--measure]
      FOLDER       shows a folder of the disk; without, a demo tree that can be changed
      --count N    how many files and folders the demo tree has; 1000000 by default
      --dump FILE  writes what the window shows to a file, whenever that changes
      --measure    searches, unfolds everything, scrolls, and prints how long it took
    """

  /// The options of a command line; nil where an argument is unknown or wrong.
  init?(_ arguments: some Sequence<String>) {
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      switch argument {
      case "--count":
        guard let count = iterator.next().flatMap({ Int($0) }), (1...10_000_000).contains(count) else { return nil }
        self.count = count
      case "--dump":
        guard let path = iterator.next() else { return nil }
        dump = path
      case "--measure": measures = true
      default:
        if argument.hasPrefix("-") || path != nil { return nil }
        path = argument
      }
    }
  }
}
