/// What stands in a directory under one name.
struct Entry: Equatable, Sendable {
  enum Kind: String, Equatable, Sendable {
    case file, directory, link, other
    /// The file system did not say: the entry is gone.
    case unknown
  }

  /// What a link leads to.
  enum LinkEnd: Equatable, Sendable {
    /// Something with these bits of type and permission.
    case mode(UInt16)
    case nothing
    /// The link itself, by way of others.
    case circle
  }

  /// Which file it is, whatever its names.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  var name: FileName
  var kind: Kind
  /// Bytes; 0 for everything but a file.
  var size = 0
  /// Bytes that it takes on the disk, in whole blocks.
  var usage = 0
  /// When it was last changed, in seconds since 1970.
  var modified = 0
  /// The bits of type and permission, as the system has them; 0 where it did not say.
  var mode: UInt16 = 0
  /// The file system that it is on.
  var device = 0
  /// Which file it is, where it has several names.
  var identity: Identity?
  /// Where a link points to, as it is written in the link.
  var target: FileName?
  /// What a link leads to.
  var linkEnd: LinkEnd?
  /// Why it is not known what it is.
  var error: String?
}
