import Foundation

/// A file or a folder of a tree.
nonisolated struct File: Hashable, Sendable {
  let id: Int
  var name: String
  var isFolder: Bool
  /// In bytes.
  var size: Int
  /// In seconds since 1970.
  var modified: Int

  /// The name of its kind for the user, from the end of the file's name.
  var kind: String {
    if isFolder { return "Folder" }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "File" }
    return name[name.index(after: dot)...].uppercased()
  }
}

/// A property by which files are sorted; folders are before files in every order.
nonisolated enum FileKey: Int, CaseIterable, Sendable {
  case name, size, kind, modified

  /// The title of the column.
  var title: String {
    switch self {
    case .name: "Name"
    case .size: "Size"
    case .kind: "Kind"
    case .modified: "Modified"
    }
  }
}

/// An order of files.
nonisolated struct FileOrder: Equatable, Sendable {
  var key: FileKey
  var isDescending = false

  /// Returns whether a file is before another one.
  func areInIncreasingOrder(_ left: File, _ right: File) -> Bool {
    if left.isFolder != right.isFolder { return left.isFolder }
    return isDescending ? isBefore(right, left) : isBefore(left, right)
  }

  private func isBefore(_ left: File, _ right: File) -> Bool {
    switch key {
    case .name: left.name.naturally(isBefore: right.name)
    case .size: left.size < right.size
    case .kind: left.kind < right.kind
    case .modified: left.modified < right.modified
    }
  }
}

extension String {
  /// Returns whether this name is before another one: numbers are compared by value, and upper and lower case are
  /// equal.
  nonisolated func naturally(isBefore other: String) -> Bool {
    var (left, right) = (utf8.makeIterator(), other.utf8.makeIterator())
    var (a, b) = (left.next(), right.next())
    while let x = a, let y = b {
      if x.isDigit, y.isDigit {
        // The longer number is larger. For equal lengths, the first digit that differs decides.
        var order = 0
        while let x = a, let y = b, x.isDigit, y.isDigit {
          if order == 0 { order = Int(x) - Int(y) }
          (a, b) = (left.next(), right.next())
        }
        let (isLonger, isShorter) = (a?.isDigit == true, b?.isDigit == true)
        if isLonger != isShorter { return isShorter }
        if order != 0 { return order < 0 }
      } else {
        if x.lowercase != y.lowercase { return x.lowercase < y.lowercase }
        (a, b) = (left.next(), right.next())
      }
    }
    return a == nil && b != nil
  }
}

extension UInt8 {
  nonisolated fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  nonisolated fileprivate var lowercase: UInt8 { self >= 0x41 && self <= 0x5A ? self + 0x20 : self }
}
