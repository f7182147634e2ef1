/// A command of the shell that a user gives, with places for paths as in fzf.
///
///     {}     the current row
///     {+}    the marked rows, or else the current row: "$@", "$1" and so on have the same paths
///     \{}    the characters themselves
///
/// The shell gets paths as parameters, so every byte of a name may be in them, and no name is taken for a command.
struct ShellCommand {
  /// When the output stays on the screen until the user presses Enter.
  enum Pause { case always, afterFailure }

  /// The text for the shell; its parameters are the current row and then the marked rows.
  let script: String

  init(_ command: String, _ pause: Pause) {
    var line = ""
    var rest = command[...]
    while let character = rest.popFirst() {
      let place = ["{}", "{+}"].first { rest.hasPrefix(character == "\\" ? $0 : String($0.dropFirst())) }
      if character == "\\", let place {
        line += place
        rest.removeFirst(place.count)
      } else if character == "{", let place {
        line += place == "{}" ? "\"$current\"" : "\"$@\""
        rest.removeFirst(place.count - 1)
      } else {
        line.append(character)
      }
    }
    // A command that is typed without a place for the paths gets them at its end.
    if case .always = pause, line == command, !["$@", "$*", "$1", "${"].contains(where: command.contains) {
      line += " \"$@\""
    }
    let waiting = "printf '\\n[exit code %d] Enter goes back ' $code; read -r line"
    let ending =
      switch pause {
      case .always: waiting
      case .afterFailure: "if [ $code -ne 0 ]; then \(waiting); fi"
      }
    // A shell without a trap would end by an interrupt, although the program may go on.
    script = "trap : INT QUIT; current=$1; shift\n\(line)\ncode=$?; \(ending); exit $code"
  }
}
