import Foundation

// The trash of the user.
extension FileEdits {
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

  /// The form of a trash.
  enum TrashForm {
    /// The form of freedesktop.org: the file in `files`, and a note of its former place in `info`.
    case freedesktop
    /// The form of macOS: the file in the folder itself.
    case folder

    /// The form that the other programs of this system read.
    static var system: TrashForm {
      #if canImport(Darwin)
        .folder
      #else
        .freedesktop
      #endif
    }
  }

  /// Puts a file into the trash.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - trash: the folder of the trash.
  ///   - form: the form of the trash.
  ///   - date: the present time.
  /// - Throws: `FileSystemError`; its code is `EXDEV` if the file is on another file system than the trash.
  static func putIntoTrash(
    _ path: FileName, _ trash: FileName, form: TrashForm = .system, date: Date = Date()
  ) throws(FileSystemError) {
    switch form {
    case .folder:
      try makeFolders(trash)
      for number in 1... {
        if try moveIfFree(path, to: trash.appending(trashName(path.lastComponent, number, behind: 0))) { return }
      }
    case .freedesktop:
      let (files, notes) = (trash.appending("files"), trash.appending("info"))
      for folder in [files, notes] { try makeFolders(folder) }
      let ending = Array(".trashinfo".utf8)
      for number in 1... {
        let name = trashName(path.lastComponent, number, behind: ending.count)
        let note = notes.appending(FileName(bytes: name.bytes + ending))
        guard try write(info(path, date), toNew: note) else { continue }
        do throws(FileSystemError) {
          if try moveIfFree(path, to: files.appending(name)) { return }
        } catch {
          remove(note)
          throw error
        }
        remove(note)
      }
    }
  }

  /// The name of a file in the trash.
  ///
  /// - Parameters:
  ///   - name: the former name.
  ///   - number: the number of the attempt; from 2 on, it is a part of the name.
  ///   - space: the bytes behind the name, for which it is cut.
  /// - Returns: at most 255 bytes without the space.
  private static func trashName(_ name: FileName, _ number: Int, behind space: Int) -> FileName {
    let suffix = number == 1 ? [] : Array(".\(number)".utf8)
    var bytes = name.bytes
    let room = longestName - space - suffix.count
    if bytes.count > room {
      var end = room
      // A cut inside a character would make a name that is no text.
      while end > room - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      bytes.removeSubrange(end...)
    }
    return FileName(bytes: bytes + suffix)
  }

  /// The largest number of bytes of a name, on most file systems.
  private static let longestName = 255

  /// Moves a file.
  ///
  /// - Returns: false if the name is taken.
  private static func moveIfFree(_ path: FileName, to target: FileName) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      try move(path, to: target)
      return true
    } catch {
      if error.code == EEXIST { return false }
      throw error
    }
  }

  /// Writes a new file.
  ///
  /// - Returns: false if the name is taken.
  private static func write(_ text: String, toNew path: FileName) throws(FileSystemError) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe path.callSystem { unsafe openat($0, $1, flags, 0o600) }
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw FileSystemError(code: errno)
    }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard unsafe bytes.withUnsafeBytes({ unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
    else {
      remove(path)
      throw FileSystemError(code: ENOSPC)
    }
    return true
  }

  private static func remove(_ path: FileName) { _ = unsafe path.callSystem { unsafe unlinkat($0, $1, 0) } }

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
}
