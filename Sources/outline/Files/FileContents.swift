import Foundation

/// All bytes of an open file.
enum FileContents {
  /// Reads from where the file stands to its end: a file on a disk is mapped, a pipe is read until the other side closes
  /// it.
  ///
  /// - Parameter descriptor: an open file, which stays the caller's.
  /// - Returns: the bytes.
  /// - Throws: `FileSystemError`.
  static func read(_ descriptor: Int32) throws -> Data {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystemError(code: errno) }
    let size = Int(status.st_size)
    if status.st_mode & S_IFMT == S_IFREG, size > 0, lseek(descriptor, 0, SEEK_CUR) == 0 {
      let memory = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
      if let memory = unsafe memory, unsafe memory != MAP_FAILED {
        return unsafe Data(
          bytesNoCopy: memory, count: size, deallocator: .custom { unsafe munmap($0, $1) })
      }
    }
    return try readToEnd(descriptor)
  }

  private static func readToEnd(_ descriptor: Int32) throws -> Data {
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { buffer in
        unsafe readBytes(descriptor, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return data }
      if count > 0 {
        data.append(contentsOf: piece[..<count])
      } else if errno != EINTR {
        throw FileSystemError(code: errno)
      }
    }
  }
}

/// The system's `read`, which the method's own name would hide.
private let readBytes = unsafe read(_:_:_:)
