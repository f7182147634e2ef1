import Foundation

// The memory that a signal handler reads. A handler may run at any moment, so these are plain variables, and they are
// set before the handler is installed.
nonisolated(unsafe) private var terminalDescriptor: Int32 = -1
nonisolated(unsafe) private var signalWriter: Int32 = -1
nonisolated(unsafe) private var signalReader: Int32 = -1
nonisolated(unsafe) private var isScreenEntered = false
nonisolated(unsafe) private var terminalMode: UnsafeMutablePointer<termios>?
nonisolated(unsafe) private var leavingBytes: UnsafeMutableBufferPointer<UInt8>?

/// Handles the signals of a process that has entered the screen of a terminal.
///
/// Signals that end the process restore the terminal first, even if a trap in the process itself is the cause. All
/// other signals are written to a pipe, and are read from there later, outside of the handler.
@MainActor
enum TerminalSignals {
  private static let leaving = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// The same for lines below the cursor, which are erased.
  private static let leavingInline = "\u{1B}[?2004l\u{1B}8\u{1B}[J\u{1B}[?7h\u{1B}[0m\u{1B}[?25h"
  private static let ending = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
  ]
  private static let noted = [SIGWINCH, SIGCONT, SIGTSTP]

  /// Installs the handlers.
  ///
  /// - Parameters:
  ///   - descriptor: the terminal.
  ///   - isInline: whether lines below the cursor are used, and no screen of its own.
  /// - Returns: the descriptor from which signals that do not end the process are read; nil after a failure.
  static func install(_ descriptor: Int32, isInline: Bool) -> Int32? {
    var pipes: [Int32] = [-1, -1]
    guard unsafe pipe(&pipes) == 0 else { return nil }
    for pipe in pipes {
      _ = fcntl(pipe, F_SETFD, FD_CLOEXEC)
      _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
    }
    unsafe (signalReader, signalWriter, terminalDescriptor) = (pipes[0], pipes[1], descriptor)
    // The memory lives as long as the process, because a handler may run until the end of the process.
    let mode = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    unsafe mode.initialize(to: termios())
    unsafe terminalMode = mode
    let text = isInline ? leavingInline : leaving
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = unsafe bytes.initialize(from: text.utf8)
    unsafe leavingBytes = bytes
    for number in ending { handle(number, endProcess) }
    for number in noted { handle(number, noteSignal) }
    return pipes[0]
  }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    signal(number, handler)
  }

  /// The mode of the terminal before the screen was entered.
  static var savedMode: termios { unsafe terminalMode?.pointee ?? termios() }

  /// Stores the mode of the terminal before the screen is entered: the mode of the job, not the mode of the shell that
  /// reads its next line.
  ///
  /// In the background, the process stops until the shell gives it the terminal.
  static func saveMode() {
    if unsafe isScreenEntered { return }
    awaitForeground(SIGTTOU)
    if let terminalMode = unsafe terminalMode { _ = unsafe tcgetattr(terminalDescriptor, terminalMode) }
  }

  /// Whether the terminal must be restored.
  static var isEntered: Bool {
    get { unsafe isScreenEntered }
    set { unsafe isScreenEntered = newValue }
  }

  /// Restores the former state of the terminal.
  ///
  /// - Parameter keys: the treatment of keys that have not been read.
  static func restore(_ keys: UnreadKeys = .left) { restoreTerminal(keys == .left ? TCSANOW : TCSAFLUSH) }

  /// The treatment of keys that were pressed but not read before the terminal is restored.
  enum UnreadKeys { case left, discarded }

  /// Returns the signals that have arrived and do not end the process, each once.
  static func pending() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(signalReader, &bytes, bytes.count)
    return joined(bytes.prefix(max(0, count)).map { Int32($0) })
  }

  /// Joins signals in the order of their arrival, as the system joins pending signals.
  ///
  /// Each signal remains once, and no stop signal remains before a signal that continues the process.
  static func joined(_ numbers: [Int32]) -> [Int32] {
    var result: [Int32] = []
    for number in numbers {
      if number == SIGCONT { result.removeAll { $0 == SIGTSTP } }
      if !result.contains(number) { result.append(number) }
    }
    return result
  }

  /// Stops all processes of the job, as the key does when the terminal itself handles it.
  ///
  /// The method returns when the processes continue. It returns at once if the system ignores the signal because no
  /// shell waits for the job. The process stops by a signal to this thread, so that this thread stops at once. A signal
  /// to the process would reach the main thread, because the threads of queues block signals. Then this thread would
  /// run on for a moment.
  static func stop() {
    signal(SIGTSTP, SIG_IGN)
    kill(0, SIGTSTP)
    // If a thread had blocked the signal, the signal is still pending. Ignoring the signal again discards it.
    signal(SIGTSTP, SIG_IGN)
    signal(SIGTSTP, SIG_DFL)
    stopHere(SIGTSTP)
    handle(SIGTSTP, noteSignal)
  }

  /// Stops the process by a signal to this thread.
  ///
  /// The signal that continues the process is not noted, because the caller knows how to go on.
  private static func stopHere(_ number: Int32) {
    signal(SIGCONT, SIG_DFL)
    taking(number) { _ = pthread_kill(pthread_self(), number) }
    handle(SIGCONT, noteSignal)
  }

  /// Makes a call during which another program uses the terminal.
  ///
  /// The terminal sends the signals of its keys to both processes: the program alone ends, and both processes stop.
  static func sharing<Result>(_ body: () -> Result) -> Result {
    for number in [SIGINT, SIGQUIT] { signal(number, SIG_IGN) }
    signal(SIGTSTP, SIG_DFL)
    defer {
      for number in [SIGINT, SIGQUIT] { handle(number, endProcess) }
      handle(SIGTSTP, noteSignal)
    }
    return body()
  }

  /// In the background, stops the process until the shell gives it the terminal, or continues it without the terminal.
  ///
  /// - Parameter number: `SIGTTIN` or `SIGTTOU`, the signal by which the terminal would stop the process.
  static func awaitForeground(_ number: Int32) {
    let group = unsafe tcgetpgrp(terminalDescriptor)
    // A terminal that has gone belongs to no group.
    if group >= 0, group != getpgrp() { stopHere(number) }
  }

  /// Makes a call during which a signal reaches this thread.
  ///
  /// The threads of queues block signals, including the signals by which the terminal stops a background job that uses
  /// it. If these signals are blocked, the terminal refuses to be read, but accepts changes of its mode while the shell
  /// uses it.
  static func taking<Result>(_ number: Int32, _ body: () -> Result) -> Result {
    var (signals, former) = (sigset_t(), sigset_t())
    _ = unsafe (sigemptyset(&signals), sigaddset(&signals, number))
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &former)
    let result = body()
    _ = unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    return result
  }
}

/// Restores the terminal, and ends the process by a signal.
private func endProcess(_ number: Int32) {
  restoreTerminal(TCSANOW)
  signal(number, SIG_DFL)
  raise(number)
}

/// Writes the number of a signal to the pipe; a handler may do no more.
private func noteSignal(_ number: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = unsafe write(signalWriter, &byte, 1)
  errno = code
}

/// Restores the terminal, with calls that a signal handler may make.
///
/// The mode is restored first: a user who sees the screen change may press keys, and these keys must be read in the
/// mode of the shell. (A line end that arrives in the other mode is no line end for the shell.) In the background, the
/// mode is the shell's own, and is not changed.
private func restoreTerminal(_ moment: Int32) {
  guard unsafe isScreenEntered, let mode = unsafe terminalMode, let bytes = unsafe leavingBytes else { return }
  unsafe isScreenEntered = false
  let group = unsafe tcgetpgrp(terminalDescriptor)
  if group < 0 || group == getpgrp() { _ = unsafe tcsetattr(terminalDescriptor, moment, mode) }
  _ = unsafe write(terminalDescriptor, bytes.baseAddress, bytes.count)
}
