#if canImport(Glibc)
  import AssemblageTerminal
  import Foundation
  import Glibc
  import TestSupport

  /// A pseudo-terminal that runs a program. A test can read its screen.
  final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    private(set) var process: pid_t = 0
    private(set) var screen: ScreenModel
    /// All bytes that the program has written.
    private(set) var written: [UInt8] = []
    /// The modes of the terminal before the program started.
    let modes: termios

    /// Starts a command of the shell in a terminal.
    ///
    /// - Parameters:
    ///   - command: the command, in which the word `outline` means the tested program.
    ///   - environment: variables beside those that the program needs.
    ///   - size: the terminal's size.
    /// - Throws: `Failure` where the system refuses.
    init(
      _ command: String, environment: [String: String] = [:], size: TerminalSize = TerminalSize(columns: 60, rows: 12)
    ) throws {
      screen = ScreenModel(size: size)
      var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
      var (master, slave): (Int32, Int32) = (-1, -1)
      var name = [CChar](repeating: 0, count: 128)
      guard unsafe openpty(&master, &slave, &name, nil, &window) == 0 else { throw Failure("openpty", errno) }
      self.master = master
      self.slave = slave
      var modes = termios()
      _ = unsafe tcgetattr(slave, &modes)
      self.modes = modes
      _ = fcntl(master, F_SETFL, O_NONBLOCK)
      _ = fcntl(master, F_SETFD, FD_CLOEXEC)
      _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
      let path = builtProduct("outline").deletingLastPathComponent().path
      var variables = ["PATH": "\(path):/usr/bin:/bin", "TERM": "xterm-256color", "HOME": "/", "PS1": "ready> "]
      variables.merge(environment) { $1 }
      process = try Self.spawn(
        ["/bin/sh", "-c", command], variables,
        terminal: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    deinit {
      if process > 0 {
        kill(process, SIGKILL)
        _ = waitpid(process, nil, 0)
      }
      close(master)
      close(slave)
    }

    struct Failure: Error {
      let call: String
      let code: Int32

      init(_ call: String, _ code: Int32) { (self.call, self.code) = (call, code) }
    }

    /// The value of `POSIX_SPAWN_SETSID`, which the header shows to GNU programs only.
    private static let newSession = 0x80

    /// Starts a program in a session of its own, with this terminal.
    private static func spawn(_ words: [String], _ variables: [String: String], terminal: String) throws -> pid_t {
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawnattr_init(&attributes)
      defer {
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
      }
      unsafe posix_spawnattr_setflags(&attributes, Int16(Self.newSession) | Int16(POSIX_SPAWN_SETSIGDEF))
      var signals = sigset_t()
      unsafe sigfillset(&signals)
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      // The first terminal that the leader of a session opens becomes the terminal of the session.
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
      var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
      var environment = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
      defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
      var process = pid_t()
      let code = unsafe posix_spawn(&process, words[0], &actions, &attributes, &arguments, &environment)
      if code != 0 { throw Failure("posix_spawn", code) }
      return process
    }

    // MARK: User input

    /// Presses keys: text, with control characters.
    func press(_ keys: String) {
      let bytes = Array(keys.utf8)
      _ = unsafe write(master, bytes, bytes.count)
    }

    func resize(to size: TerminalSize) {
      read()
      screen.resize(to: size)
      var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
      _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    // MARK: The screen

    /// Reads the bytes that the program has written, and draws them on the screen.
    func read() {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = unsafe Glibc.read(master, &bytes, bytes.count)
        if count <= 0 { return }
        written += bytes.prefix(count)
        screen.write(bytes.prefix(count))
      }
    }

    /// Waits until a text is on the screen.
    func shows(_ text: String) async -> Bool {
      await eventually {
        read()
        return screen.text.contains(text)
      }
    }

    /// Waits until a text is no longer on the screen.
    func hides(_ text: String) async -> Bool {
      await eventually {
        read()
        return !screen.text.contains(text)
      }
    }

    /// Waits until the program has left the alternate screen.
    func isLeft() async -> Bool {
      await eventually {
        read()
        return !screen.isAlternate
      }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: its exit code, or 128 and the signal that ended it; nil where the program does not end.
    func exitCode() async -> Int32? {
      var status: Int32 = 0
      let hasEnded = await eventually {
        read()
        return unsafe waitpid(process, &status, WNOHANG) == process
      }
      guard hasEnded else { return nil }
      process = 0
      read()
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Whether the terminal is in its former state.
    var isRestored: Bool {
      var now = termios()
      _ = unsafe tcgetattr(slave, &now)
      return !screen.isAlternate && screen.isCursorShown && screen.wraps && !screen.sendsMouse
        && now.c_lflag == modes.c_lflag
        && now.c_iflag == modes.c_iflag && now.c_oflag == modes.c_oflag
    }
  }
#endif
