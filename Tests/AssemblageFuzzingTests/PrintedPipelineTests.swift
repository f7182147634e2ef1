import Foundation
import TestSupport
import Testing

@testable import AssemblageFuzzing

/// The code as which a failure is printed. `PrintedPipeline.swift` is such code, compiled with these tests.
@Suite struct PrintedPipelineTests {
  private typealias Operation = PipelineOperation

  /// A script with an operation of every kind.
  private static var script: PipelineScript {
    var serial = 0
    func operation(
      _ action: Operation.Action, _ numbers: [Int] = [], _ body: [PipelineOperation] = []
    ) -> PipelineOperation {
      serial += 1
      return PipelineOperation(serial: serial, action: action, numbers: numbers, body: body)
    }
    func edit(_ kind: String, _ name: String, _ numbers: [Int] = []) -> PipelineOperation {
      operation(.edit(kind: kind, name: name), [0] + numbers)
    }
    var operations = [
      operation(.make("array"), [5]), operation(.make("single"), [1]), operation(.make("provider"), [3]),
      operation(.make("branch"), [3, 1, 2, 3, 1, 0, 1]), operation(.make("join"), [3, 4, 5, 6]),
      operation(.make("filter"), [7, 1]), operation(.make("forest"), [0, 3, 1, 2, 0, 1, 1, 0]),
    ]
    for number in 0..<6 { operations.append(operation(.observe, [number])) }
    for number in 0..<3 {
      let body = number == 1 ? [edit("array", "swapAt", [0, 1])] : []
      operations.append(operation(.show, [number, [0, 2, 8][number], 1, 0, 1, 7, 3, 2], body))
    }
    for number in 0..<16 { operations.append(operation(.use, [number, 0, number, number, 1])) }
    let names: Set = ["array", "single", "provider", "branch", "join", "filter", "forest"]
    for kind in NodeKind.standard where names.contains(kind.name) {
      operations += kind.editNames.enumerated().map { edit(kind.name, $1, [1, $0, 1, 1]) }
    }
    for number in 0..<4 {
      operations += Operation.Write.allCases.map { operation(.write($0), [number, 1, 1, 0, 0]) }
    }
    operations.append(
      operation(
        .transaction, [1, 2],
        [
          operation(.make("provider"), [2]), operation(.observe, [9]), edit("provider", "announceUpdate", [1]),
          edit("array", "append", [2]), operation(.rollback, [2], [edit("array", "remove", [1])]),
        ]))
    operations.append(operation(.undo, [1], [edit("array", "swapAt", [0, 2]), edit("join", "moveMember", [0, 1])]))
    operations.append(operation(.react, [0, 1], [edit("single", "clear"), operation(.cancel, [2])]))
    for number in 0..<6 { operations.append(edit("array", "insert", [number])) }
    operations += [operation(.cancel, [5]), operation(.release, [3])]
    return PipelineScript(operations: operations, allowsDuplicates: false)
  }

  /// Compares the file with the printed code. `ASSEMBLAGE_RECORD=1` writes the file anew after a change of the
  /// printing.
  @Test func theCompiledSampleIsWhatIsPrinted() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "PrintedPipeline.swift")
    let code = PipelineFuzzer(seed: 1).code(of: Self.script, name: "printedPipeline")
    let header = """
      // swift-format-ignore-file
      // Printed by a `PipelineFuzzer`; see `PrintedPipelineTests`.

      """
    if ProcessInfo.processInfo.environment["ASSEMBLAGE_RECORD"] == "1" {
      try (header + code).write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == header + code)
  }

  @Test func theSampleHasEverything() throws {
    let code = PipelineFuzzer(seed: 1).code(of: Self.script)
    for part in [
      "ArrayNode<PipelineRow>(", "SingleNode<PipelineRow>(", "ProviderNode<PipelineRow>(", "BranchNode<PipelineRow>(",
      "JoinNode<PipelineRow>(", "FilterNode<PipelineRow>(", "ForestNode<PipelineRow>(", "ShadowTree(of: ",
      ".observe { _ in", ".performUpdates {",
      "throw CancellationError()", ".undo()", "= nil", ".announce(",
      "WidgetModel<PipelineRow>(", "ItemWidget()", "ScreenUser(", ".follow(", ".check()",
      "try NodeChecker<PipelineRow>",
    ] {
      #expect(code.contains(part), "no \(part)")
    }
  }

  /// The printed code does the same as the script, so it finds no fault.
  @Test func theSampleRuns() throws { try printedPipeline() }
}
