import Foundation

// What a signal handler reads: it may run at any moment, so these are set before it is installed, and are plain memory.
nonisolated(unsafe) private var terminalDescriptor: Int32 = -1
nonisolated(unsafe) private var signalWriter: Int32 = -1
nonisolated(unsafe) private var signalReader: Int32 = -1
nonisolated(unsafe) private var isScreenEntered = false
nonisolated(unsafe) private var terminalMode: UnsafeMutablePointer<termios>?
nonisolated(unsafe) private var leavingBytes: UnsafeMutableBufferPointer<UInt8>?

/// The signals of a process that has taken the screen of a terminal.
///
/// Those that end it give the terminal back first, also where it is a trap in the process itself. Those that end nothing are written
/// to a pipe, and read from there in peace.
@MainActor
enum TerminalSignals {
  private static let leaving = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  private static let ending = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
  ]
  private static let noted = [SIGWINCH, SIGCONT, SIGTSTP]

  /// Installs the handlers.
  ///
  /// - Parameter descriptor: the terminal, in the mode that is restored.
  /// - Returns: where the signals that end nothing are read; nil where that failed.
  static func install(_ descriptor: Int32) -> Int32? {
    var pipes: [Int32] = [-1, -1]
    guard unsafe pipe(&pipes) == 0 else { return nil }
    for pipe in pipes {
      _ = fcntl(pipe, F_SETFD, FD_CLOEXEC)
      _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
    }
    unsafe (signalReader, signalWriter, terminalDescriptor) = (pipes[0], pipes[1], descriptor)
    // The memory lives as long as the process, because a handler may run until its end.
    let mode = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    unsafe mode.initialize(to: termios())
    _ = unsafe tcgetattr(descriptor, mode)
    unsafe terminalMode = mode
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leaving.utf8.count)
    _ = unsafe bytes.initialize(from: leaving.utf8)
    unsafe leavingBytes = bytes
    for number in ending {
      handle(number) { number in
        restoreTerminal()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    for number in noted { handle(number, noteSignal) }
    return pipes[0]
  }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    signal(number, handler)
  }

  /// The mode of the terminal before the screen was taken.
  static var savedMode: termios { unsafe terminalMode?.pointee ?? termios() }

  /// Whether there is something to restore.
  static var isEntered: Bool {
    get { unsafe isScreenEntered }
    set { unsafe isScreenEntered = newValue }
  }

  /// Gives the terminal back as it was.
  static func restore() { restoreTerminal() }

  /// The signals that have come and end nothing.
  static func pending() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(signalReader, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map { Int32($0) }
  }

  /// Stops all processes of the job, as the key would if the terminal took it.
  ///
  /// Another thread may be the one that the signal stops them by, a moment later: so it is left as it is until they go on, or,
  /// where the system ignores it, until that moment has passed.
  static func stop() {
    signal(SIGTSTP, SIG_DFL)
    kill(0, SIGTSTP)
    var source = pollfd(fd: unsafe signalReader, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&source, 1, 100)
      if count < 0, errno == EINTR { continue }
      if count <= 0 || pending().contains(SIGCONT) { break }
    }
    handle(SIGTSTP, noteSignal)
  }
}

/// Writes the number of a signal to the pipe: all that a handler may do.
private func noteSignal(_ number: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = unsafe write(signalWriter, &byte, 1)
  errno = code
}

/// Gives the terminal back, with calls that a signal handler may make.
private func restoreTerminal() {
  guard unsafe isScreenEntered, let mode = unsafe terminalMode, let bytes = unsafe leavingBytes else { return }
  unsafe isScreenEntered = false
  _ = unsafe write(terminalDescriptor, bytes.baseAddress, bytes.count)
  _ = unsafe tcsetattr(terminalDescriptor, TCSANOW, mode)
}
