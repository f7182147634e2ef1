#if os(macOS) || os(Linux)
  import CommandSupport
  import Foundation

  /// A program that runs random graphs in child processes, and so survives a graph that ends its process.
  ///
  /// The package's own `fuzz` is this program with the kinds of the library:
  ///
  /// ```text
  /// swift run -c release fuzz --seeds 1-50 --scripts 20000
  /// ```
  ///
  /// A program for kinds of your own is one line in a `main.swift`:
  ///
  /// ```swift
  /// exit(FuzzCommand(kinds: NodeKind.standard + [NodeKind(TailModel.self)]).run(Array(CommandLine.arguments.dropFirst())))
  /// ```
  ///
  /// The program starts itself again as workers, and gives them scripts. It cuts each script that fails, and prints the
  /// short script with Swift code that fails in the same way, as `PipelineFuzzer` does. A script can also end its
  /// worker: by a trap, by a stack overflow, or by a run of a minute without an end. The program finds such a script as
  /// well. It cuts the script by running its parts in further workers, and prints the short script with the sentence of
  /// the trap.
  ///
  /// The standard output of the program belongs to the report. The standard output of a worker belongs to the answers
  /// for the program that started the worker. So nodes must not print to standard output.
  package struct FuzzCommand {
    /// The kinds of nodes that the program makes.
    package let kinds: [NodeKind]

    /// Creates the program.
    ///
    /// - Parameter kinds: the kinds of nodes to make. Their names differ, and at least one of them is a source.
    package init(kinds: [NodeKind] = NodeKind.standard) { self.kinds = kinds }

    /// Runs the program.
    ///
    /// - Parameter arguments: the arguments of the command line, without the program's name. `--help` prints them.
    /// - Returns: the exit code. It is 0 if no script failed. It is 1 if a script failed, or if the scripts never made
    ///   some kind of node or some edit. It is 64 if an argument is wrong, 70 if a worker could not be started, and 74
    ///   if the report could not be written.
    package func run(_ arguments: [String]) -> Int32 {
      // If the reader of the output ends early, as `head` does, that is an error of `write`.
      signal(SIGPIPE, SIG_IGN)
      if arguments.first == FuzzWorker.argument {
        let settings = FuzzSettings(arguments: arguments.dropFirst())
        FuzzWorker(kinds: settings.usesFragileKind ? FragileModel.kinds : kinds, settings: settings).serve()
        return 0
      }
      do {
        let options = try FuzzOptions(arguments)
        if options.wantsHelp {
          try Self.print(FuzzOptions.help)
          return 0
        }
        guard let executable = Bundle.main.executableURL else {
          throw FuzzWorkerError("The program's own file is not known.")
        }
        if let count = options.worlds {
          return try WorldsRun(options, count: count, executable: executable, print: Self.print).run().isClean ? 0 : 1
        }
        return try FuzzRun(options, executable: executable, print: Self.print).run().exitCode
      } catch let error as FuzzUsageError {
        ProgramStream.standardError.write("\(error.description)\n\n\(FuzzOptions.help)\n")
        return 64
      } catch let error as OutputError {
        if error.exitCode != 0 { ProgramStream.standardError.write("fuzz: \(error)\n") }
        return error.exitCode
      } catch {
        ProgramStream.standardError.write("\(error)\n")
        return 70
      }
    }

    /// Writes a line of the report.
    @Sendable private static func print(_ line: String) throws {
      if let error = OutputError(ProgramStream.standardOutput.write(line + "\n")) { throw error }
    }
  }
#endif
