import Foundation

/// Changes files: renames them, makes folders, and puts files into the trash.
enum FileEdits {
  /// Gives a file another name in its folder.
  ///
  /// - Throws: `FileSystemError`, also if the name is taken.
  static func rename(_ path: FileName, to name: FileName) throws(FileSystemError) {
    let target = try sibling(of: path, name)
    guard !exists(target) else { throw FileSystemError(code: EEXIST) }
    try move(path, to: target)
  }

  /// Makes a folder.
  static func makeFolder(_ path: FileName) throws(FileSystemError) {
    try check(path.lastComponent)
    guard unsafe path.callSystem({ unsafe mkdirat($0, $1, 0o777) }) == 0 else { throw FileSystemError(code: errno) }
  }

  /// Deletes files, and folders with everything in them.
  ///
  /// The system limits the arguments of a program, so one program gets only a portion of the paths.
  ///
  /// - Parameters:
  ///   - paths: the paths.
  ///   - limit: the largest number of bytes in a portion of several paths.
  /// - Returns: the first reason why something could not be deleted; nil if all portions succeeded.
  static func delete(_ paths: [[UInt8]], limit: Int = 65_536) -> String? {
    var reason: String?
    var rest = paths[...]
    while !rest.isEmpty {
      var (count, bytes) = (0, 0)
      for path in rest {
        bytes += path.count + 1
        if count > 0, bytes > limit { break }
        count += 1
      }
      let problem = deletePortion(Array(rest.prefix(count)))
      reason = reason ?? problem
      rest.removeFirst(count)
    }
    return reason
  }

  /// Deletes files with one program; returns the first line of the program's errors.
  private static func deletePortion(_ paths: [[UInt8]]) -> String? {
    // A file holds the errors, because a full pipe would stop the program.
    guard let file = unsafe tmpfile() else { return FileSystemError(code: errno).description }
    defer { unsafe fclose(file) }
    let code = unsafe ChildProcess.run("rm -rf -- \"$@\" </dev/null", paths, fileno(file))
    if code == 0 { return nil }
    unsafe rewind(file)
    var line = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe line.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
    let text = FileName(bytes: Array(line.prefix(count).prefix { $0 != 0x0A })).printedPattern
    return text.isEmpty ? "rm could not be started" : text
  }

  /// Whether a path leads to no entry, not even to a link.
  static func isGone(_ path: FileName) -> Bool {
    var status = stat()
    return unsafe path.callSystem({ unsafe fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }) != 0
      && (errno == ENOENT || errno == ENOTDIR)
  }

  // MARK: The trash

  /// Returns the trash of the user; nil if the user has no folder for it.
  static func trash(_ environment: [String: String]) -> FileName? {
    func folder(_ variable: String) -> FileName? {
      environment[variable].map { FileName($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    #if canImport(Darwin)
      return folder("HOME")?.appending(".Trash")
    #else
      let data = folder("XDG_DATA_HOME") ?? folder("HOME")?.appending(".local").appending("share")
      return data?.appending("Trash")
    #endif
  }

  /// Puts a file into the trash.
  ///
  /// The trash has the form of freedesktop.org: the file in `files`, and a note of its former place in `info`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - trash: the folder of the trash.
  ///   - date: the present time.
  /// - Throws: `FileSystemError`; its code is `EXDEV` if the file is on another file system than the trash.
  static func putIntoTrash(_ path: FileName, _ trash: FileName, date: Date = Date()) throws(FileSystemError) {
    let (files, notes) = (trash.appending("files"), trash.appending("info"))
    for folder in [files, notes] { try makeFolders(folder) }
    let name = path.lastComponent
    for number in 1... {
      let free = number == 1 ? name : FileName(bytes: name.bytes + Array(".\(number)".utf8))
      let note = notes.appending(FileName(bytes: free.bytes + Array(".trashinfo".utf8)))
      let descriptor = unsafe note.callSystem { unsafe openat($0, $1, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw FileSystemError(code: errno) }
      defer { close(descriptor) }
      let target = files.appending(free)
      if exists(target) {
        _ = unsafe note.callSystem { unsafe unlinkat($0, $1, 0) }
        continue
      }
      let text = Array(info(path, date).utf8)
      let isWritten = unsafe text.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) } == text.count
      do throws(FileSystemError) {
        guard isWritten else { throw FileSystemError(code: ENOSPC) }
        try move(path, to: target)
      } catch {
        _ = unsafe note.callSystem { unsafe unlinkat($0, $1, 0) }
        throw error
      }
      return
    }
  }

  /// The note about a file in the trash: its former path, and the local time.
  private static func info(_ path: FileName, _ date: Date) -> String {
    var absolute = path.bytes
    if !path.isAbsolute {
      if absolute.starts(with: "./".utf8) { absolute.removeFirst(2) }
      absolute = Array(FileManager.default.currentDirectoryPath.utf8) + [FileName.slash] + absolute
    }
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let encoded = absolute.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
    let seconds = Int(date.timeIntervalSince1970) + TimeZone.current.secondsFromGMT(for: date)
    let second = (seconds % 60 + 60) % 60
    let time = formattedDate(seconds).replacing(" ", with: "T") + (second < 10 ? ":0" : ":") + "\(second)"
    return "[Trash Info]\nPath=\(encoded)\nDeletionDate=\(time)\n"
  }

  // MARK: Parts

  private static func makeFolders(_ path: FileName) throws(FileSystemError) {
    var end = path.bytes.startIndex
    while end < path.bytes.endIndex {
      end = path.bytes[(end + 1)...].firstIndex(of: FileName.slash) ?? path.bytes.endIndex
      let part = FileName(bytes: Array(path.bytes[..<end]))
      let result = unsafe part.callSystem { unsafe mkdirat($0, $1, 0o700) }
      if result != 0, errno != EEXIST, errno != EISDIR { throw FileSystemError(code: errno) }
    }
  }

  private static func exists(_ path: FileName) -> Bool {
    var status = stat()
    return unsafe path.callSystem { unsafe fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) } == 0
  }

  private static func move(_ path: FileName, to target: FileName) throws(FileSystemError) {
    let result = unsafe path.callSystem { directory, name in
      unsafe target.callSystem { unsafe renameat(directory, name, $0, $1) }
    }
    guard result == 0 else { throw FileSystemError(code: errno) }
  }

  /// Refuses a name that is no name of an entry.
  private static func check(_ name: FileName) throws(FileSystemError) {
    if name.isEmpty || name == "." || name == ".." || name.bytes.contains(FileName.slash) || name.bytes.contains(0) {
      throw FileSystemError("this is no name")
    }
  }

  /// Returns the path of another entry in the folder of an entry.
  private static func sibling(of path: FileName, _ name: FileName) throws(FileSystemError) -> FileName {
    try check(name)
    guard let end = path.bytes.lastIndex(of: FileName.slash) else { return name }
    return FileName(bytes: path.bytes[...end] + name.bytes)
  }
}
