import AssemblageTerminal
import Foundation

/// The terminal that a user sits at: what comes from it, and what is written to it.
///
/// It is opened by name, so that it is there while standard input and output are pipes. While it is open it gives every key as
/// it is pressed, on a screen of its own; `close()`, and every signal that ends the process, gives it back as it was.
@MainActor
final class TerminalDevice {
  private let descriptor: Int32
  private var source: (any DispatchSourceRead)?
  private var signalSource: (any DispatchSourceRead)?
  private var isSuspended = false
  /// Told the bytes that keys and the mouse send; nothing where the terminal has gone.
  var onBytes: ([UInt8]) -> Void = { _ in }
  /// Told of signals that end nothing.
  var onSignal: (Int32) -> Void = { _ in }

  /// The bytes that enter the screen: the other screen, no cursor, no wrapping, the mouse, pasted texts in brackets.
  ///
  /// A terminal that counts an emoji as wider than `TerminalWidth` does would wrap a full row over the next one.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"

  /// Opens the terminal.
  ///
  /// - Returns: nil where the process has none.
  init?() {
    descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if descriptor < 0 { return nil }
    guard isatty(descriptor) == 1, let signals = TerminalSignals.install(descriptor) else {
      Foundation.close(descriptor)
      return nil
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readBytes() } }
    self.source = source
    let signalSource = DispatchSource.makeReadSource(fileDescriptor: signals, queue: .main)
    signalSource.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        for signal in TerminalSignals.pending() { self?.onSignal(signal) }
      }
    }
    self.signalSource = signalSource
    source.resume()
    signalSource.resume()
  }

  private func readBytes() {
    // In the background the keys are the shell's, and it may have read those that this was told of: to wait for others here
    // would hold up everything else.
    TerminalSignals.awaitForeground(SIGTTIN)
    var keys = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&keys, 1, 0) == 0 { return }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count <= 0 { source?.cancel() }
    onBytes(Array(bytes.prefix(max(0, count))))
  }

  /// How many colours it shows, by what the environment says.
  nonisolated static func colorDepth(_ environment: [String: String]) -> TerminalColorDepth {
    if environment["NO_COLOR"]?.isEmpty == false { return .none }
    let type = environment["TERM"] ?? ""
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || type.hasSuffix("-direct") { return .full }
    if type.contains("256color") { return .palette }
    return type.isEmpty || type == "dumb" || type.hasPrefix("vt1") || type.hasPrefix("vt2") ? .none : .named
  }

  /// Its rows and columns; 80 × 24 where it does not say.
  var size: TerminalSize {
    var window = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return TerminalSize(columns: 80, rows: 24)
    }
    return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Takes the screen: every key is given as it is pressed.
  ///
  /// In the background, the process stops until the shell gives it the terminal.
  func enter() {
    TerminalSignals.saveMode()
    var mode = TerminalSignals.savedMode
    unsafe cfmakeraw(&mode)
    _ = TerminalSignals.taking(SIGTTOU) { unsafe tcsetattr(descriptor, TCSADRAIN, &mode) }
    TerminalSignals.isEntered = true
    write(Self.entering)
    if isSuspended {
      isSuspended = false
      source?.resume()
    }
  }

  /// Gives the screen back, and reads no keys, because another program does; `enter()` takes it again.
  ///
  /// - Parameter keys: what becomes of keys that have not been read.
  func leave(_ keys: TerminalSignals.UnreadKeys = .left) {
    if !isSuspended {
      isSuspended = true
      source?.suspend()
    }
    TerminalSignals.restore(keys)
  }

  /// Stops the process until the shell lets it go on.
  ///
  /// Keys that were pressed for it and have not been read are not given to the shell. Where no shell waits for it, it goes on
  /// at once.
  func stop() {
    leave(.discarded)
    TerminalSignals.stop()
    enter()
  }

  /// Gives the terminal back for good.
  func close() {
    TerminalSignals.restore()
    if isSuspended { source?.resume() }
    source?.cancel()
    signalSource?.cancel()
  }

  /// Writes all of a text.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        return
      }
    }
  }

  /// Runs a command with the terminal as its input and output, and waits until it has ended.
  ///
  /// - Parameters:
  ///   - command: for the shell; `"$@"` stands for the arguments.
  ///   - arguments: paths, byte by byte.
  /// - Returns: what the shell returned; nil where it could not be started.
  func run(_ command: String, _ arguments: [[UInt8]]) -> Int32? {
    leave()
    defer { enter() }
    return ChildProcess.run(command, arguments, descriptor)
  }
}
