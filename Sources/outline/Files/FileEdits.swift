import Foundation

/// Changes files: renames them, makes folders, deletes files, and puts files into the trash.
enum FileEdits {
  /// Gives a file another name in its folder.
  ///
  /// - Throws: `FileSystemError`, also if the name is taken.
  static func rename(_ path: FileName, to name: FileName) throws(FileSystemError) {
    try move(path, to: sibling(of: path, name))
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

  // MARK: Parts

  static func makeFolders(_ path: FileName) throws(FileSystemError) {
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

  /// Moves a file to a name that is not taken.
  ///
  /// - Throws: `FileSystemError`; its code is `EEXIST` if the name is taken.
  static func move(_ path: FileName, to target: FileName) throws(FileSystemError) {
    func rename(_ call: (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32) -> Int32 {
      let result = unsafe path.callSystem { directory, name in
        unsafe target.callSystem { unsafe call(directory, name, $0, $1) }
      }
      return result == 0 ? 0 : errno
    }
    var code = EINVAL
    #if canImport(Darwin)
      code = unsafe rename { unsafe renameatx_np($0, $1, $2, $3, UInt32(RENAME_EXCL)) }
    #else
      if let renameat2 = unsafe renameat2 {
        let noReplace: UInt32 = 1
        code = unsafe rename { unsafe renameat2($0, $1, $2, $3, noReplace) }
      }
    #endif
    // Some file systems cannot refuse a name that is taken in the same step.
    if code == EINVAL || code == ENOSYS || code == ENOTSUP {
      if exists(target) { throw FileSystemError(code: EEXIST) }
      code = unsafe rename { unsafe renameat($0, $1, $2, $3) }
    }
    guard code == 0 else { throw FileSystemError(code: code) }
  }

  #if !canImport(Darwin)
    private typealias Rename =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// The system's function, which is declared only for C programs with extensions; nil in an old system.
    private static var renameat2: Rename? {
      unsafe dlsym(nil, "renameat2").map { unsafe unsafeBitCast($0, to: Rename.self) }
    }
  #endif

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
