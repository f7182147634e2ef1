/// Finds the file of patterns that git applies to all repositories of a user.
///
/// The file is the value of `core.excludesFile` in git's configuration, or else `git/ignore` in the folder for
/// configurations.
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
    func folder(_ variable: String) -> FileName? {
      environment[variable].flatMap { $0.isEmpty ? nil : FileName($0) }
    }
    let home = folder("HOME")
    let settings = (folder("XDG_CONFIG_HOME") ?? home?.appending(".config"))?.appending("git")
    // The file in the home folder is read last by git, so its value counts.
    let configurations =
      folder("GIT_CONFIG_GLOBAL").map { [$0] }
      ?? [home?.appending(".gitconfig"), settings?.appending("config")]
      .compactMap { $0 }
    for file in configurations {
      guard (try? fileSystem.place(file)) == .file, let data = try? fileSystem.contents(file),
        let value = excludesFile(String(decoding: data, as: UTF8.self))
      else { continue }
      guard value.hasPrefix("~/") else { return FileName(value) }
      return home?.appending(FileName(String(value.dropFirst(2))))
    }
    return settings?.appending("ignore")
  }

  /// Returns the last value of `core.excludesFile` in a configuration; nil if there is none.
  static func excludesFile(_ configuration: String) -> String? {
    var (isCore, value): (Bool, Substring?) = (false, nil)
    for line in configuration.split(whereSeparator: \.isNewline) {
      let text = trimmed(line)
      if text.hasPrefix("[") {
        isCore = text.lowercased().hasPrefix("[core]")
        continue
      }
      guard isCore, let equals = text.firstIndex(of: "="),
        trimmed(text[..<equals]).lowercased() == "excludesfile"
      else { continue }
      let written = trimmed(text[text.index(after: equals)...])
      let isQuoted = written.count > 1 && written.first == "\"" && written.last == "\""
      value = isQuoted ? written.dropFirst().dropLast() : written
    }
    return value.flatMap { $0.isEmpty ? nil : String($0) }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
