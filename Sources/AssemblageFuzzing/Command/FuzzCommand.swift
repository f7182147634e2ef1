#if os(macOS) || os(Linux)
  import CommandSupport
  import Foundation

  /// A program that runs random graphs in child processes, and so survives a graph that ends its process.
  ///
  /// The package's own `fuzz` is this program for the kinds of the library:
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
  /// The program starts itself again as workers, and gives them scripts. What a script finds is cut and printed with the
  /// Swift code that does the same, as `PipelineFuzzer` does it. Where a worker ends under a script, by a trap, by a stack
  /// that overflows, or because the script ran for a minute without an end, that script is found as well: it is cut by
  /// running its parts in further workers, and printed with the sentence of the trap.
  ///
  /// Standard output of the program belongs to the report; of a worker, to what it says to the program that started it, so
  /// nodes must not print there.
  package struct FuzzCommand {
    /// The kinds of nodes that are made.
    package let kinds: [NodeKind]

    /// Creates the program.
    ///
    /// - Parameter kinds: the kinds of nodes to make; their names differ, and at least one is a source.
    package init(kinds: [NodeKind] = NodeKind.standard) { self.kinds = kinds }

    /// Runs the program.
    ///
    /// - Parameter arguments: those of the command line, without the program's name. `--help` prints what they can be.
    /// - Returns: the code to exit with: 0 if nothing was found, 1 if something was, or if the scripts left some kind of node
    ///   or edit out, 64 where the arguments say nothing that makes sense, 70 where a worker could not be started, 74 where
    ///   the report could not be written.
    package func run(_ arguments: [String]) -> Int32 {
      // A reader that goes away, as `head` does, is an error of `write`.
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
