import Foundation

/// Programs that take over the terminal for a while.
enum ChildProcess {
  /// Runs a command of the shell, and waits until it has ended.
  ///
  /// - Parameters:
  ///   - command: the command; `"$@"` stands for the arguments.
  ///   - arguments: what they are, byte by byte.
  ///   - descriptor: its standard input, output and error.
  /// - Returns: what the shell returned; nil where it could not be started.
  static func run(_ command: String, _ arguments: [[UInt8]], _ descriptor: Int32) -> Int32? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    guard unsafe posix_spawn_file_actions_init(&actions) == 0, unsafe posix_spawnattr_init(&attributes) == 0 else {
      return nil
    }
    defer {
      _ = unsafe posix_spawn_file_actions_destroy(&actions)
      _ = unsafe posix_spawnattr_destroy(&attributes)
    }
    // What this process ignores would be ignored by the other one, too.
    var signals = sigset_t()
    _ = unsafe (sigemptyset(&signals), sigaddset(&signals, SIGPIPE))
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    for standard in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
    }
    let words = ["/bin/sh", "-c", command, "outline"].map { Array($0.utf8) } + arguments
    // Names are bytes, so they are copied as such; the copies are freed when the process has been started.
    var pointers = unsafe words.map { word -> UnsafeMutablePointer<CChar>? in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: word.count + 1)
      unsafe copy.initialize(repeating: 0, count: word.count + 1)
      for (offset, byte) in word.enumerated() { unsafe copy[offset] = CChar(bitPattern: byte) }
      return unsafe copy
    }
    defer { unsafe pointers.forEach { unsafe $0?.deallocate() } }
    unsafe pointers.append(nil)
    var process = pid_t()
    guard unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, pointers, environ) == 0 else { return nil }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}
