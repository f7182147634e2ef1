import Assemblage
import OffsetIndexing

/// Directories, the files in them that are shown, and how many and how large they are below each directory.
///
/// The picture, for `a` with the file x and the directory `b` that holds y and z, and `--filter z`:
///
///     top         a: [x, b: [y, z]]     a branch for each directory
///     everything  [x, b | y, z]         all branches joined, in depth-first order
///     matches     [z]                   the files among them that are shown
///     sizes       [size of z]           of the matches
///
/// The branches of a directory's subtree stand side by side in the join, so that they are one range there,
/// one range among the matches, and one range of sizes: its count and its size are four look-ups, however
/// many files it holds, and a directory without a match is known without looking into it.
struct Outline {
  /// The directory's branch, or a join of several.
  let top: any TreeNode<Entry>
  /// The number of directories, those given included.
  var directoryCount: Int { directories.count }

  private let directories: [BranchNode<Entry>]
  private let subtreeEnds: [Int]
  private let everything: JoinNode<Entry>
  private let matches: FilterNode<Entry>
  private let sizes: OffsetIndex
  /// Whether directories without a match are left out.
  private let isFiltered: Bool

  /// The files shown below a directory.
  struct Summary: Equatable {
    var files: Int
    /// Their bytes.
    var size: Int
  }

  /// Creates the outline of what `loader` has read.
  ///
  /// - Parameters:
  ///   - roots: the branches of the directories asked for, at least one.
  ///   - loader: what read them.
  ///   - filter: shows the files whose names contain this, in whatever case; nil shows all.
  init(roots: [BranchNode<Entry>], loader: DirectoryLoader, filter: String? = nil) {
    directories = loader.directories
    subtreeEnds = loader.subtreeEnds
    top = roots.count == 1 ? roots[0] : JoinNode(roots)
    everything = JoinNode(directories)
    isFiltered = filter != nil
    let pattern = filter.map { Pattern($0) }
    matches = FilterNode(everything) { entry in
      !entry.isDirectory && (pattern?.isContained(in: entry.name) ?? true)
    }
    sizes = OffsetIndex(Self.summable(matches.elements.map(\.size)))
  }

  /// The files shown in all directories.
  var summary: Summary { summary(ofMatches: 0..<matches.count) }

  /// The files shown below the directory with that number.
  func summary(ofDirectory ordinal: Int) -> Summary {
    let start = everything.range(ofMember: ordinal).lowerBound
    let end = everything.range(ofMember: subtreeEnds[ordinal] - 1).upperBound
    return summary(ofMatches: matches.visibleRange(of: start..<end))
  }

  private func summary(ofMatches range: Range<Int>) -> Summary {
    Summary(
      files: range.count, size: sizes.offset(of: range.upperBound) - sizes.offset(of: range.lowerBound))
  }

  /// Where the entries of a directory begin in `everything`, for `shows(_:at:)`.
  func start(ofDirectory ordinal: Int) -> Int { everything.range(ofMember: ordinal).lowerBound }

  /// Whether an entry is shown: a file that matches, or a directory that leads to one.
  ///
  /// - Parameters:
  ///   - entry: a directory's child.
  ///   - position: its place in `everything`.
  /// - Returns: true for every entry where there is no filter.
  func shows(_ entry: Entry, at position: Int) -> Bool {
    guard isFiltered else { return true }
    if let ordinal = entry.ordinal { return summary(ofDirectory: ordinal).files > 0 }
    return matches.visiblePosition(of: position) != nil
  }

  /// The directory with that number.
  func directory(_ ordinal: Int) -> BranchNode<Entry> { directories[ordinal] }

  /// The sizes, made smaller where their sum exceeds `Int.max`, as a few sparse files can make it.
  static func summable(_ sizes: [Int]) -> [Int] {
    var sum = 0
    for size in sizes {
      let (next, overflow) = sum.addingReportingOverflow(size)
      if overflow { return sizes.map { min($0, Int.max / sizes.count) } }
      sum = next
    }
    return sizes
  }
}
