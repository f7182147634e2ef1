import Assemblage

/// Reads directories into branches, without recursion: a tree may be deeper than the call stack.
struct DirectoryLoader {
  /// Something that could not be read.
  struct Problem: Equatable {
    let path: String
    let reason: String
  }

  /// The directories read so far, in depth-first order: a directory's number is its place here.
  private(set) var directories: [BranchNode<Entry>] = []
  /// One past the number of the last directory below each directory.
  private(set) var subtreeEnds: [Int] = []
  private(set) var problems: [Problem] = []
  /// The number of entries read.
  private(set) var entryCount = 0

  private let fileSystem: FileSystem
  private let progress: (_ entries: Int) -> Void

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - fileSystem: where the directories are.
  ///   - progress: told the number of entries after each directory.
  init(fileSystem: FileSystem = .local, progress: @escaping (_ entries: Int) -> Void = { _ in }) {
    self.fileSystem = fileSystem
    self.progress = progress
  }

  /// A directory that is being read: its entries, of which those before `next` are done.
  private struct Frame {
    let ordinal: Int
    let path: String
    var value: Entry
    var entries: [Entry] = []
    var next = 0
    var children: [BranchNode<Entry>.Child] = []
  }

  /// Reads the directory at `path` and everything below, and adds it to `directories`.
  ///
  /// - Parameter path: an existing directory, which becomes the branch's name too.
  /// - Returns: its branch, whose leaves are entries and whose inner nodes are directories.
  @discardableResult
  mutating func load(_ path: String) -> BranchNode<Entry> {
    // A finished branch takes the place that was kept for it.
    var finished: [Int: BranchNode<Entry>] = [:]
    let first = directories.count
    var stack = [open(Entry(name: path, kind: .directory), path: path)]

    while var frame = stack.popLast() {
      while frame.next < frame.entries.count, !frame.entries[frame.next].isDirectory {
        frame.children.append(.leaf(frame.entries[frame.next]))
        frame.next += 1
      }
      if frame.next < frame.entries.count {
        let entry = frame.entries[frame.next]
        frame.next += 1
        let child = open(entry, path: Self.join(frame.path, entry.name))
        stack.append(frame)
        stack.append(child)
        continue
      }
      subtreeEnds[frame.ordinal] = subtreeEnds.count
      let branch = BranchNode(value: frame.value, frame.children)
      finished[frame.ordinal] = branch
      if let parent = stack.indices.last { stack[parent].children.append(.node(branch)) }
    }
    for ordinal in first..<subtreeEnds.count {
      if let branch = finished[ordinal] { directories.append(branch) }
    }
    return directories[first]
  }

  private mutating func open(_ entry: Entry, path: String) -> Frame {
    let ordinal = subtreeEnds.count
    subtreeEnds.append(ordinal)
    var frame = Frame(ordinal: ordinal, path: path, value: entry)
    frame.value.ordinal = ordinal
    do {
      frame.entries = try fileSystem.names(path).sorted().map { name in
        let path = Self.join(path, name)
        do {
          return try fileSystem.entry(path, name)
        } catch {
          problems.append(Problem(path: path, reason: "\(error)"))
          return Entry(name: name, kind: .unknown)
        }
      }
    } catch {
      problems.append(Problem(path: path, reason: "\(error)"))
      frame.value.error = "\(error)"
    }
    entryCount += frame.entries.count
    progress(entryCount)
    return frame
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }
}
