/// A function for a shell that goes to the chosen directory: only the shell itself can change its directory.
enum ShellFunction {
  /// The script of a shell: the function `ocd`, which takes the options of `outline --browse`.
  static func script(_ shell: Options.Shell) -> String {
    switch shell {
    case .bash: posix("bash", "~/.bashrc")
    case .zsh: posix("zsh", "~/.zshrc")
    case .fish: fish
    }
  }

  // Of several paths, the first one counts. The point keeps the shell from removing line ends at the end of a name.
  private static func posix(_ shell: String, _ file: String) -> String {
    """
    # ocd chooses with outline, and goes to the folder: eval "$(outline --shell \(shell))" in \(file)
    ocd() {
      local chosen
      chosen=$(command outline --browse --null "$@" | { IFS= read -r -d '' chosen && printf '%s.' "$chosen"; }) || return
      chosen=${chosen%.}
      if [ ! -d "$chosen" ]; then
        case $chosen in
          */*) chosen=${chosen%/*}/ ;;
          *) chosen=. ;;
        esac
      fi
      cd -- "$chosen"
    }
    """
  }

  private static let fish = """
    # ocd chooses with outline, and goes to the folder: outline --shell fish | source in ~/.config/fish/config.fish
    function ocd
      command outline --browse --null $argv | read -z -l chosen
      or return
      if not test -d "$chosen"
        if not string match -q '/*' -- "$chosen"
          set chosen "./$chosen"
        end
        set chosen (string replace -r '[^/]*$' '' -- "$chosen" | string collect)
      end
      cd -- "$chosen"
    end
    """
}
