/// Generates scripts with which shells complete the command line, from the table of options.
enum Completions {
  /// The script of a shell.
  static func script(_ shell: Options.Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static func words(_ option: OptionSpec) -> [String]? {
    if case .words(let choices) = option.value { choices.map(\.word) } else { nil }
  }

  /// Whether any text may follow that is no path.
  private static func takesText(_ option: OptionSpec) -> Bool { if case .text = option.value { true } else { false } }

  private static var bash: String {
    let cases = OptionTable.options.compactMap { option -> String? in
      let names = option.names.joined(separator: "|")
      if let words = words(option) {
        return "    \(names)) COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")); return ;;"
      }
      return takesText(option) ? "    \(names)) return ;;" : nil
    }
    return """
      # Completions of outline for bash: source <(outline --completions bash)
      _outline() {
        local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
        # bash takes the = of --sort=name for a word.
        if [[ $word == = ]]; then word=; elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi
        COMPREPLY=()
        case $option in
      \(cases.joined(separator: "\n"))
        esac
        if [[ $word == -* ]]; then
          COMPREPLY=($(compgen -W "\(OptionTable.options.flatMap(\.names).joined(separator: " "))" -- "$word"))
        else
          compopt -o filenames
          local IFS=$'\\n'
          COMPREPLY=($(compgen -f -- "$word"))
        fi
      }
      complete -F _outline outline
      """
  }

  private static var zsh: String {
    let options = OptionTable.options.flatMap { option in
      option.names.map { name -> String in
        let text = "[" + option.brief.replacing("'", with: "'\\''") + "]"
        let isLong = name.hasPrefix("--")
        // After one name of an option, its other names are not offered. But some options may be given several times.
        let others = option.names.count > 1 ? "(\(option.names.joined(separator: " ")))" : ""
        let often = ["--exclude", "--size", "--bind"].contains(name) ? "*" : ""
        if let words = words(option) {
          return "    '\(often)\(others)\(name)=\(text):word:(\(words.joined(separator: " ")))'"
        }
        if case .text(let value) = option.value {
          return "    '\(often)\(others)\(name)\(isLong ? "=" : "")\(text):\(value):'"
        }
        return "    '\(others)\(name)\(text)'"
      }
    }
    return """
      #compdef outline
      # Completions of outline for zsh: source <(outline --completions zsh), or as the file _outline in a folder of $fpath
      _outline() {
        _arguments -s \\
      \(options.joined(separator: " \\\n")) \\
          '*:path:_files'
      }
      if [[ ${funcstack[1]} == _outline ]]; then _outline "$@"; else compdef _outline outline; fi
      """
  }

  private static var fish: String {
    let lines = OptionTable.options.map { option -> String in
      let names = option.names.map { $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())" }
      var line = "complete -c outline \(names.joined(separator: " "))"
      if let words = words(option) {
        line += " -x -a '\(words.joined(separator: " "))'"
      } else if takesText(option) {
        line += " -x"
      }
      return line + " -d '" + option.brief.replacing("'", with: "\\'") + "'"
    }
    return "# Completions of outline for fish: outline --completions fish | source\n" + lines.joined(separator: "\n")
  }
}
