/// What stands in a directory under one name.
struct Entry: Equatable, Sendable {
  enum Kind: String, Equatable, Sendable {
    case file, directory, link, other
    /// The file system did not say: the entry is gone, or its name is no valid text.
    case unknown
  }

  var name: String
  var kind: Kind
  /// Bytes; 0 for everything but a file.
  var size = 0
  /// When it was last changed, in seconds since 1970.
  var modified = 0
  /// Where a link points to, as it is written in the link.
  var target: String?
}
