/// Finds the file of patterns that git applies to all repositories of a user.
///
/// The file is the value of `core.excludesFile` in git's configuration, or else `git/ignore` in the folder for
/// configurations. A repository's own configuration may name another file.
enum GlobalIgnores {
  /// Finds and reads the file.
  ///
  /// - Parameters:
  ///   - environment: the variables of the process, which name the folders of the user.
  ///   - fileSystem: the file system with the files.
  /// - Returns: the patterns; none without a readable file.
  static func patterns(_ environment: [String: String], _ fileSystem: FileSystem) -> IgnoreFile {
    path(environment, fileSystem).map { Repository.file($0, fileSystem) } ?? IgnoreFile(patterns: [])
  }

  private static func path(_ environment: [String: String], _ fileSystem: FileSystem) -> FileName? {
    let home = home(environment)
    let settings = (folder("XDG_CONFIG_HOME", environment) ?? home?.appending(".config"))?.appending("git")
    // The file in the home folder is read last by git, so its value counts.
    let configurations =
      folder("GIT_CONFIG_GLOBAL", environment).map { [$0] }
      ?? [home?.appending(".gitconfig"), settings?.appending("config")]
      .compactMap { $0 }
    for configuration in configurations {
      if let value = value(in: configuration, fileSystem) { return file(value, home: home) }
    }
    return settings?.appending("ignore")
  }

  /// Reads the file that a value of `core.excludesFile` names; an empty value names no file.
  static func patterns(at value: String, home: FileName?, _ fileSystem: FileSystem) -> IgnoreFile {
    file(value, home: home).map { Repository.file($0, fileSystem) } ?? IgnoreFile(patterns: [])
  }

  private static func file(_ value: String, home: FileName?) -> FileName? {
    guard value.hasPrefix("~/") else { return value.isEmpty ? nil : FileName(value) }
    return home?.appending(FileName(String(value.dropFirst(2))))
  }

  /// Returns the value of `core.excludesFile` in a file; nil without a value or a readable file.
  static func value(in file: FileName, _ fileSystem: FileSystem) -> String? {
    guard (try? fileSystem.place(file)) == .file, let data = try? fileSystem.contents(file) else { return nil }
    return GitConfiguration.excludesFile(String(decoding: data, as: UTF8.self))
  }

  /// The home folder of the user.
  static func home(_ environment: [String: String]) -> FileName? { folder("HOME", environment) }

  private static func folder(_ variable: String, _ environment: [String: String]) -> FileName? {
    environment[variable].flatMap { $0.isEmpty ? nil : FileName($0) }
  }
}
