import Foundation

/// Describes the permissions and the owners of files, as `ls -l` does.
struct Permissions {
  private var names: [UInt32: String] = [:]

  /// The type and the permissions of a file: `drwxr-xr-x`.
  ///
  /// - Parameter mode: the bits of type and permission, in the form of the system.
  /// - Returns: ten characters.
  static func text(_ mode: UInt16) -> String {
    let types: [UInt16: Character] = [
      0o040000: "d", 0o120000: "l", 0o010000: "p", 0o140000: "s", 0o060000: "b", 0o020000: "c",
    ]
    var text = Array("rwxrwxrwx")
    for (place, _) in text.enumerated() where mode & (0o400 >> UInt16(place)) == 0 { text[place] = "-" }
    // The bits that set the user, set the group and protect a directory's entries share places with execution.
    for (bit, place, letter) in [(UInt16(0o4000), 2, "s"), (0o2000, 5, "s"), (0o1000, 8, "t")] where mode & bit != 0 {
      text[place] = Character(text[place] == "-" ? letter.uppercased() : letter)
    }
    return String([types[mode & 0o170000] ?? "-"] + text)
  }

  /// The name of a user; the number if the user has no name.
  mutating func name(ofUser user: UInt32) -> String {
    if let known = names[user] { return known }
    let found = unsafe getpwuid(user)
    let name = unsafe found.map { unsafe FileName(cString: $0.pointee.pw_name).printed } ?? "\(user)"
    names[user] = name
    return name
  }
}
