import Foundation

/// Reads all bytes of an open file.
enum FileContents {
  /// Reads from the file's current position to its end.
  ///
  /// A file on a disk is mapped; a pipe is read until the other side closes the pipe.
  ///
  /// - Parameter descriptor: an open file, which the caller still owns.
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

  /// Reads to the end of a file or a pipe.
  ///
  /// A file may change afterwards, even become shorter: the bytes stay the same.
  static func readToEnd(_ descriptor: Int32) throws -> Data {
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

/// The system's `read`, which the name of the method hides.
private let readBytes = unsafe read(_:_:_:)
