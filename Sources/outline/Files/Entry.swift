/// An entry of a directory, under one name.
struct Entry: Equatable, Sendable {
  enum Kind: String, Equatable, Sendable {
    case file, directory, link, other
    /// The file system reported no kind: the entry is gone.
    case unknown
  }

  /// The end of a link.
  enum LinkEnd: Equatable, Sendable {
    /// An entry with these bits of type and permission.
    case mode(UInt16)
    case nothing
    /// The link itself, directly or through other links.
    case circle
  }

  /// The identity of a file, independent of its names.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  var name: FileName
  var kind: Kind
  /// The bytes of a file; 0 for every other kind.
  var size = 0
  /// The bytes on the disk, in whole blocks.
  var usage = 0
  /// The time of the last change, in seconds since 1970.
  var modified = 0
  /// The bits of type and permission, in the form of the system; 0 if the system did not report them.
  var mode: UInt16 = 0
  /// The number of the user who owns the entry.
  var owner: UInt32 = 0
  /// The file system of the entry.
  var device = 0
  /// The identity of the file, if the file has several names.
  var identity: Identity?
  /// The target of a link, as it is written in the link.
  var target: FileName?
  /// The end of a link.
  var linkEnd: LinkEnd?
  /// The reason why the kind is unknown.
  var error: String?
}
