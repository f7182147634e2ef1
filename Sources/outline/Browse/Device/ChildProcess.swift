import Foundation

/// Runs programs that use the terminal for a while.
enum ChildProcess {
  /// Runs a command of the shell, and waits until the command has ended.
  ///
  /// - Parameters:
  ///   - command: the command; `"$@"` is replaced with the arguments.
  ///   - arguments: the arguments, byte by byte.
  ///   - descriptor: the standard input, output and error of the command.
  /// - Returns: the exit code of the shell; nil if it could not be started.
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
    // Without this, the new process would also ignore the signals that this process ignores.
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGPIPE] { _ = unsafe sigaddset(&signals, number) }
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    for standard in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
    }
    let words = ["/bin/sh", "-c", command, "outline"].map { Array($0.utf8) } + arguments
    // Names are bytes, so their bytes are copied unchanged; the copies are freed after the process was started.
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
