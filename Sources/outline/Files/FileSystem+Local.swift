import Foundation

extension FileSystem {
  /// The file system of this machine, which is read with the system's calls.
  ///
  /// Names are bytes there. The properties of an entry are read relative to its open directory, so that the directory's
  /// path is not looked up for each entry. A path may have any length.
  static var local: FileSystem {
    FileSystem(
      list: { path, needsProperties in
        let descriptor = unsafe path.callSystem { unsafe openat($0, $1, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileSystemError(code: errno) }
        guard let directory = unsafe fdopendir(descriptor) else {
          let code = errno
          close(descriptor)
          throw FileSystemError(code: code)
        }
        defer { unsafe closedir(directory) }
        var status = stat()
        var contents = Contents(entries: [])
        if unsafe fstat(descriptor, &status) == 0 { contents.usage = usage(status) }
        errno = 0
        while let entry = unsafe readdir(directory) {
          if let entry = unsafe self.entry(entry, in: descriptor, needsProperties) { contents.entries.append(entry) }
          errno = 0
        }
        if errno != 0 { throw FileSystemError(code: errno) }
        return contents
      },
      place: { path in
        var status = stat()
        if unsafe path.callSystem({ unsafe fstatat($0, $1, &status, 0) }) == 0 {
          switch status.st_mode & S_IFMT {
          case S_IFDIR: return .directory
          case S_IFREG: return .file
          case S_IFIFO: return .pipe
          default: return .other
          }
        }
        let code = errno
        if code == ENOENT || code == ELOOP, let target = linkTarget(path) {
          return code == ELOOP ? .circle : .dangling(target)
        }
        if code == ENOENT { return .nothing }
        throw FileSystemError(code: code)
      },
      contents: { path in
        let descriptor = path.open()
        guard descriptor >= 0 else { throw FileSystemError(code: errno) }
        defer { close(descriptor) }
        return try FileContents.read(descriptor)
      },
      resolved: { path in
        guard let resolved = unsafe path.withCString({ unsafe realpath($0, nil) }) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe FileName(cString: resolved)
      })
  }

  /// Reads the properties of a listed entry; nil for the directory itself and its parent.
  private static func entry(
    _ listed: UnsafeMutablePointer<dirent>, in directory: Int32, _ needsProperties: (FileName) -> Bool
  ) -> Entry? {
    let kind = unsafe Entry.Kind(listed: listed.pointee.d_type)
    return unsafe withUnsafePointer(to: &listed.pointee.d_name) { place in
      let characters = unsafe UnsafeRawPointer(place).assumingMemoryBound(to: CChar.self)
      let count = unsafe strlen(characters)
      let dot = CChar(bitPattern: UInt8(ascii: "."))
      if unsafe count <= 2 && characters[0] == dot && (count == 1 || characters[1] == dot) { return nil }
      var entry = unsafe Entry(name: FileName(cString: characters), kind: .unknown)
      if let kind, kind != .directory, !needsProperties(entry.name) {
        entry.kind = kind
        return entry
      }
      var status = stat()
      guard unsafe fstatat(directory, characters, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        entry.error = FileSystemError(code: errno).description
        return entry
      }
      entry.mode = UInt16(truncatingIfNeeded: status.st_mode)
      entry.modified = modified(status)
      entry.owner = status.st_uid
      entry.device = Int(truncatingIfNeeded: status.st_dev)
      entry.usage = usage(status)
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        entry.kind = .file
        entry.size = max(0, Int(status.st_size))
      case S_IFDIR: entry.kind = .directory
      case S_IFLNK:
        entry.kind = .link
        entry.target = unsafe linkTarget(directory, characters)
        if unsafe fstatat(directory, characters, &status, 0) == 0 {
          entry.linkEnd = .mode(UInt16(truncatingIfNeeded: status.st_mode))
        } else if errno == ENOENT || errno == ENOTDIR {
          entry.linkEnd = .nothing
        } else if errno == ELOOP {
          entry.linkEnd = .circle
        }
        return entry
      default: entry.kind = .other
      }
      if entry.kind != .directory, status.st_nlink > 1 {
        entry.identity = Entry.Identity(
          device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
      }
      return entry
    }
  }

  /// The file system and the date of the last change of the file at the end of all links; nil if there is none.
  static func status(of path: FileName) -> (device: Int, modified: Int)? {
    var status = stat()
    guard unsafe path.callSystem({ unsafe fstatat($0, $1, &status, 0) }) == 0 else { return nil }
    return (Int(truncatingIfNeeded: status.st_dev), modified(status))
  }

  /// The target of a link; nil for other files.
  static func linkTarget(_ path: FileName) -> FileName? {
    var target: FileName?
    _ = unsafe path.callSystem { directory, name in
      target = unsafe linkTarget(directory, name)
      return 0
    }
    return target
  }

  private static func linkTarget(_ directory: Int32, _ name: UnsafePointer<CChar>) -> FileName? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe readlinkat(directory, name, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count < 0 ? nil : FileName(bytes: Array(bytes[..<count]))
  }

  /// Blocks are always 512 bytes in `stat`, independent of the file system's blocks.
  private static func usage(_ status: stat) -> Int { Int(status.st_blocks) * 512 }

  private static func modified(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }
}

extension Entry.Kind {
  /// Creates a kind from the type in a listing; nil if the file system does not say it there.
  fileprivate init?(listed type: UInt8) {
    switch Int(type) {
    case Int(DT_UNKNOWN): return nil
    case Int(DT_REG): self = .file
    case Int(DT_DIR): self = .directory
    case Int(DT_LNK): self = .link
    default: self = .other
    }
  }
}

extension FileName {
  /// The longest path that the system receives at once: shorter than its `PATH_MAX`, so that a few names fit before the
  /// path.
  private static let longestPart = Int(PATH_MAX) - 64

  /// The flags that open a directory which may be searched, but need not be readable.
  #if canImport(Darwin)
    private static let passing = O_SEARCH
  #else
    // O_PATH, which Swift does not import: its definition refers to another macro.
    private static let passing = O_DIRECTORY | 0o10_000_000
  #endif

  /// Calls the system with a directory and a path relative to this directory, which together name this path.
  ///
  /// The system refuses a path of `PATH_MAX` bytes. The beginning of a longer path is opened in parts, each part
  /// relative to the directory before. So only one descriptor is open at a time, at any depth of the path.
  ///
  /// - Parameter body: makes the call; it returns a negative number and sets `errno` if the system refuses.
  /// - Returns: the result of `body`, or -1 if a part of the path cannot be opened; `errno` is the reason.
  /// - Complexity: O(n / p) calls for a path of n bytes and parts of p bytes.
  func callSystem(_ body: (_ directory: Int32, _ path: UnsafePointer<CChar>) -> Int32) -> Int32 {
    var directory = AT_FDCWD
    func leave() {
      let code = errno
      if directory != AT_FDCWD { close(directory) }
      errno = code
    }
    var rest = bytes[...]
    while rest.count > Self.longestPart, let end = rest.prefix(Self.longestPart).lastIndex(of: Self.slash),
      end > rest.startIndex, let next = rest[end...].firstIndex(where: { $0 != Self.slash })
    {
      let part = FileName(bytes: Array(rest[..<end]))
      let opened = unsafe part.withCString { unsafe openat(directory, $0, Self.passing | O_CLOEXEC) }
      leave()
      if opened < 0 { return -1 }
      directory = opened
      rest = rest[next...]
    }
    defer { leave() }
    return unsafe FileName(bytes: Array(rest)).withCString { unsafe body(directory, $0) }
  }

  /// Opens the file for reading.
  ///
  /// - Returns: the descriptor, which the caller closes; a negative number if the system refuses, with the reason in
  ///   `errno`.
  func open() -> Int32 { unsafe callSystem { unsafe openat($0, $1, O_RDONLY | O_CLOEXEC) } }
}
