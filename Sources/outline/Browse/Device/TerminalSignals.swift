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
  private static let leaving = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  private static let ending = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
  ]
  private static let noted = [SIGWINCH, SIGCONT, SIGTSTP]

  /// Installs the handlers.
  ///
  /// - Parameter descriptor: the terminal.
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
    unsafe terminalMode = mode
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leaving.utf8.count)
    _ = unsafe bytes.initialize(from: leaving.utf8)
    unsafe leavingBytes = bytes
    for number in ending {
      handle(number) { number in
        restoreTerminal(TCSANOW)
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

  /// Notes the mode of the terminal before the screen is taken: that of the job, not of the shell that reads its next line.
  ///
  /// In the background, the process stops until the shell gives it the terminal.
  static func saveMode() {
    if unsafe isScreenEntered { return }
    awaitForeground(SIGTTOU)
    if let terminalMode = unsafe terminalMode { _ = unsafe tcgetattr(terminalDescriptor, terminalMode) }
  }

  /// Whether there is something to restore.
  static var isEntered: Bool {
    get { unsafe isScreenEntered }
    set { unsafe isScreenEntered = newValue }
  }

  /// Gives the terminal back as it was.
  ///
  /// - Parameter keys: what becomes of keys that have not been read.
  static func restore(_ keys: UnreadKeys = .left) { restoreTerminal(keys == .left ? TCSANOW : TCSAFLUSH) }

  /// What becomes of keys that were pressed and have not been read when the terminal is given back.
  enum UnreadKeys { case left, discarded }

  /// The signals that have come and end nothing, each once.
  static func pending() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(signalReader, &bytes, bytes.count)
    return joined(bytes.prefix(max(0, count)).map { Int32($0) })
  }

  /// Signals in the order in which they came, as the system joins those that wait: each once, and none that asks for a stop
  /// before one that lets the process go on.
  static func joined(_ numbers: [Int32]) -> [Int32] {
    var result: [Int32] = []
    for number in numbers {
      if number == SIGCONT { result.removeAll { $0 == SIGTSTP } }
      if !result.contains(number) { result.append(number) }
    }
    return result
  }

  /// Stops all processes of the job, as the key would if the terminal took it.
  ///
  /// It returns when they go on, and at once where the system ignores it because no shell waits for the job. For that this
  /// process stops by a signal to this thread: one to the process is taken by the main thread, which the queues leave to
  /// signals, so that this one would run on for a moment.
  static func stop() {
    signal(SIGTSTP, SIG_IGN)
    kill(0, SIGTSTP)
    // Where a thread had blocked it, it waits nevertheless: to ignore it again takes it away.
    signal(SIGTSTP, SIG_IGN)
    signal(SIGTSTP, SIG_DFL)
    stopHere(SIGTSTP)
    handle(SIGTSTP, noteSignal)
  }

  /// Stops the process by a signal to this thread; the one that lets it go on is not noted, for what follows is known here.
  private static func stopHere(_ number: Int32) {
    signal(SIGCONT, SIG_DFL)
    taking(number) { _ = pthread_kill(pthread_self(), number) }
    handle(SIGCONT, noteSignal)
  }

  /// In the background, stops the process until the shell gives it the terminal, or lets it go on without.
  ///
  /// - Parameter number: `SIGTTIN` or `SIGTTOU`: by which signal the terminal would stop it.
  static func awaitForeground(_ number: Int32) {
    let group = unsafe tcgetpgrp(terminalDescriptor)
    // A terminal that has gone belongs to no group.
    if group >= 0, group != getpgrp() { stopHere(number) }
  }

  /// Makes a call during which a signal reaches this thread.
  ///
  /// The threads of queues block signals, also those by which the terminal stops a job that uses it in the background. Where
  /// these are blocked, the terminal refuses to be read, and lets itself be changed under the shell's hands.
  static func taking<Result>(_ number: Int32, _ body: () -> Result) -> Result {
    var (signals, former) = (sigset_t(), sigset_t())
    _ = unsafe (sigemptyset(&signals), sigaddset(&signals, number))
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &former)
    let result = body()
    _ = unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    return result
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
///
/// The mode comes first: a user who sees that the screen has changed may press keys, and these have to be read in the mode of the
/// shell. (An end of a line that comes in the other mode is none for it.) In the background the mode is the shell's own.
private func restoreTerminal(_ moment: Int32) {
  guard unsafe isScreenEntered, let mode = unsafe terminalMode, let bytes = unsafe leavingBytes else { return }
  unsafe isScreenEntered = false
  let group = unsafe tcgetpgrp(terminalDescriptor)
  if group < 0 || group == getpgrp() { _ = unsafe tcsetattr(terminalDescriptor, moment, mode) }
  _ = unsafe write(terminalDescriptor, bytes.baseAddress, bytes.count)
}
