import Foundation

/// Returns the reason of an error of the system, in words that can follow a colon: `there is no permission`.
///
/// Errors that users often see have words of their own. All other errors have the system's words, which begin in lower
/// case here.
///
/// - Parameter code: a value of `errno`.
/// - Returns: the words, without a full stop.
package func systemWords(_ code: Int32) -> String {
  switch code {
  case EACCES, EPERM: return "there is no permission"
  case ENOENT: return "it is not there"
  case ENOTDIR: return "a part of the path is no directory"
  case EISDIR: return "it is a directory"
  case ELOOP: return "its links lead in a circle"
  case ENAMETOOLONG: return "the name is longer than the system allows"
  case EBADF: return "it is closed"
  case EIO: return "the device reports an error"
  case ENOSPC: return "no space is left on the device"
  case EDQUOT: return "the quota is used up"
  case EFBIG: return "the file would be larger than the system allows"
  case EROFS: return "the file system can only be read"
  case EMFILE, ENFILE: return "too many files are open"
  case ENOMEM: return "there is not enough memory"
  default:
    let words = unsafe String(cString: strerror(code))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
