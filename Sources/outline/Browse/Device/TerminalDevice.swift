import AssemblageTerminal
import Foundation

/// The terminal of a user: reads its input, and writes its output.
///
/// The terminal is opened by name, so that standard input and output can be pipes. While the terminal is open, it sends
/// every key at once, and shows a screen of its own. `close()`, and every signal that ends the process, restore the
/// former state of the terminal.
@MainActor
final class TerminalDevice {
  private let descriptor: Int32
  /// The number of lines below the cursor that are used; nil for a screen of its own.
  let height: Int?
  private var source: (any DispatchSourceRead)?
  private var signalSource: (any DispatchSourceRead)?
  private var isSuspended = false
  /// Receives the bytes that keys and the mouse send; empty when the terminal has gone.
  var onBytes: ([UInt8]) -> Void = { _ in }
  /// Receives signals that do not end the process.
  var onSignal: (Int32) -> Void = { _ in }

  /// The bytes that enter the screen: the other screen, no cursor, no wrapping, the mouse, pasted texts in brackets.
  ///
  /// Some terminals show an emoji wider than `TerminalWidth` counts. With wrapping, a full row would continue in the
  /// next one.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"

  /// The bytes that make lines below the cursor and save their beginning: no cursor, no wrapping, pasted texts in
  /// brackets.
  ///
  /// The terminal scrolls if there are too few lines. The mouse is not used, because the place of the lines is unknown.
  private func enteringInline(_ height: Int) -> String {
    let lines = String(repeating: "\r\n", count: height - 1) + (height > 1 ? "\u{1B}[\(height - 1)A" : "")
    return "\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h" + lines + "\r\u{1B}7"
  }

  /// Opens the terminal; nil if the process has no terminal.
  ///
  /// - Parameter height: the number of lines below the cursor that are used; nil for a screen of its own.
  init?(height: Int? = nil) {
    self.height = height
    descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if descriptor < 0 { return nil }
    guard isatty(descriptor) == 1, let signals = TerminalSignals.install(descriptor, isInline: height != nil) else {
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
    // In the background, the keys belong to the shell, which may already have read the keys of this event. Waiting for
    // other keys here would block everything else.
    TerminalSignals.awaitForeground(SIGTTIN)
    var keys = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&keys, 1, 0) == 0 { return }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count <= 0 { source?.cancel() }
    onBytes(Array(bytes.prefix(max(0, count))))
  }

  /// Returns the number of colours, according to the environment.
  nonisolated static func colorDepth(_ environment: [String: String]) -> TerminalColorDepth {
    if environment["NO_COLOR"]?.isEmpty == false { return .none }
    let type = environment["TERM"] ?? ""
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || type.hasSuffix("-direct") { return .full }
    if type.contains("256color") { return .palette }
    return type.isEmpty || type == "dumb" || type.hasPrefix("vt1") || type.hasPrefix("vt2") ? .none : .named
  }

  /// The number of rows and columns; 80 × 24 if the terminal does not report them.
  var size: TerminalSize {
    var window = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return TerminalSize(columns: 80, rows: min(height ?? .max, 24))
    }
    return TerminalSize(columns: Int(window.ws_col), rows: min(height ?? .max, Int(window.ws_row)))
  }

  /// Enters the screen: from now on the terminal sends every key at once.
  ///
  /// In the background, the process stops until the shell gives it the terminal.
  func enter() {
    TerminalSignals.saveMode()
    var mode = TerminalSignals.savedMode
    unsafe cfmakeraw(&mode)
    _ = TerminalSignals.taking(SIGTTOU) { unsafe tcsetattr(descriptor, TCSADRAIN, &mode) }
    TerminalSignals.isEntered = true
    write(height == nil ? Self.entering : enteringInline(size.rows))
    if isSuspended {
      isSuspended = false
      source?.resume()
    }
  }

  /// Leaves the screen, and reads no keys, because another program does; `enter()` enters the screen again.
  ///
  /// - Parameter keys: the treatment of keys that have not been read.
  func leave(_ keys: TerminalSignals.UnreadKeys = .left) {
    if !isSuspended {
      isSuspended = true
      source?.suspend()
    }
    TerminalSignals.restore(keys)
  }

  /// Stops the process until the shell continues it.
  ///
  /// Keys for this process that have not been read are not given to the shell. If no shell waits for the process, it
  /// continues at once.
  func stop() {
    leave(.discarded)
    TerminalSignals.stop()
    enter()
  }

  /// Restores the terminal for good.
  func close() {
    TerminalSignals.restore()
    if isSuspended { source?.resume() }
    source?.cancel()
    signalSource?.cancel()
  }

  /// Writes the whole text.
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

  /// Runs a command with the terminal as its input and output, and waits until the command has ended.
  ///
  /// - Parameters:
  ///   - command: the command for the shell; `"$@"` is replaced with the arguments.
  ///   - arguments: paths, byte by byte.
  /// - Returns: the exit code of the shell; nil if it could not be started.
  func run(_ command: String, _ arguments: [[UInt8]]) -> Int32? {
    leave()
    defer { enter() }
    return TerminalSignals.sharing { ChildProcess.run(command, arguments, descriptor) }
  }
}
