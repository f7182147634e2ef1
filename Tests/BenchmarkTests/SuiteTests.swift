import Foundation
import Testing

@testable import benchmark

@Suite struct SuiteTests {
  /// Every subject of every suite can be prepared, run and undone, also at sizes that are no power of two.
  ///
  /// The subjects run on a thread of their own, because a subject that waits for tasks blocks its thread.
  @Test(arguments: Suite.catalogue.map(\.name)) func everySubjectRuns(suite: String) async {
    await withCheckedContinuation { done in
      Thread {
        Self.runEverySubject(ofSuite: suite)
        done.resume()
      }.start()
    }
  }

  private static func runEverySubject(ofSuite name: String) {
    let suite = Suite.catalogue.first { $0.name == name }!
    for operation in suite.operations {
      for n in [1, 37] {
        for subject in operation.subjects {
          let context = Context(n: n, generator: SplitMix(seed: 1, name: operation.name, n: n))
          let trial = subject.prepare(context)
          for operations in [1, min(5, trial.mostOperations)] {
            _ = trial.run(operations)
            trial.reset(operations)
          }
          #expect(trial.elementsPerOperation >= 1)
        }
      }
    }
  }

  /// The library's own subject comes first in each operation. So the tables take no ratios to a competitor.
  @Test func theFirstSubjectOfAnOperationIsTheLibrarys() {
    for suite in Suite.catalogue {
      for operation in suite.operations {
        #expect(operation.subjects.first?.origin == .library, "\(suite.name)/\(operation.name)")
      }
    }
    let counts = Suite.catalogue.flatMap(\.operations).flatMap(\.subjects).reduce(into: [:]) {
      $0[$1.origin, default: 0] += 1
    }
    #expect(counts[.library]! > 100 && counts[.competitor]! > 100)
  }

  /// Subjects that return their results must agree, because they have the same input.
  @Test func subjectsOfAnOperationDoTheSameJob() throws {
    let comparable = [
      "offset-index/offset", "offset-index/locate", "bit-index/rank", "bit-index/select", "array/element",
      "tree-index/locate", "tree-index/number-of-branch", "tree-index/child-position", "tree-index/path",
      "tree-index/scan", "tree-index/chain-locate", "tree-index/chain-number-of-branch", "tree-index/chain-path",
      "array/scan", "array/scan-ordered", "forest/element", "forest/scan", "join/element", "join/local-to-global",
      "join/global-to-local",
      "join/edit", "join/scan", "join/scan-ordered", "filter/element", "filter/visible-to-source",
      "filter/source-to-visible", "filter/edit", "filter/scan", "filter/scan-ordered",
      "tree-filter/build", "tree-filter/change", "tree-filter/edit",
      "tree-sort/build", "tree-sort/change", "tree-sort/edit", "tree-sort/pipeline-build", "tree-sort/pipeline-edit",
      "group/element", "nest/build", "nest/insert", "nest/change-parent", "map/element", "map/edit", "map/scan",
      "outline/build", "outline/expand-all", "outline/row", "outline/row-full", "outline/window", "outline/path-of-row",
      "outline/row-of-path", "outline/edit", "outline/deep-edit", "outline/chain-row", "outline/chain-edit",
      "diff/append-1%", "diff/shuffle-1%", "diff/random-10%", "diff/reverse", "diff/disjoint",
      "elements/filter-build", "elements/filter-change", "elements/filter-scan", "elements/sort-build",
      "elements/array-insert", "elements/join-element", "elements/join-scan", "elements/filter-element",
      "elements/sort-element", "elements/chain-element", "elements/map-element", "elements/map-scan",
      "elements/slice-scan", "elements/unique-build", "elements/flatten-scan", "elements/group-build",
      "elements/tree-filter-change", "elements/tree-sort-build", "elements/outline-row", "elements/nest-build",
      "coordinator/edit", "coordinator/edit-in-section",
    ]
    for suite in Suite.catalogue {
      for operation in suite.operations where comparable.contains("\(suite.name)/\(operation.name)") {
        let results = operation.subjects.map { subject in
          let context = Context(n: 200, generator: SplitMix(seed: 1, name: operation.name, n: 200))
          return subject.prepare(context).run(operation.name.hasPrefix("scan") || suite.name == "diff" ? 1 : 10)
        }
        #expect(Set(results).count == 1, "\(suite.name)/\(operation.name): \(results)")
      }
    }
  }

  @Test func aSessionComparesItselfWithAnEarlierOne() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("assemblage-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let words = ["--suite", "bit-index", "--operation", "rank", "--sizes", "64", "--samples", "1"]
    var lines = ""
    let first = try Options(words + ["--format", "json"], catalogue: Suite.catalogue)
    try Session(options: first, catalogue: Suite.catalogue, output: { lines += $0 }, report: { _ in }).run()
    try lines.write(to: file, atomically: true, encoding: .utf8)

    var printed = ""
    let second = try Options(words + ["--compare", file.path], catalogue: Suite.catalogue)
    try Session(options: second, catalogue: Suite.catalogue, output: { printed += $0 }).run()
    #expect(printed.contains("Against the earlier run, each beside its competitor:"))
    #expect(printed.contains("of 1 figures within their noise"))

    let other = try Options(
      ["--suite", "bit-index", "--operation", "rank", "--sizes", "128", "--samples", "1", "--baseline", file.path],
      catalogue: Suite.catalogue)
    let failure = #expect(throws: Failure.self) {
      try Session(options: other, catalogue: Suite.catalogue, output: { _ in }).run()
    }
    #expect(failure?.code == 65)
    let missing = try Options(words + ["--compare", file.path + "-none"], catalogue: Suite.catalogue)
    #expect(
      throws: Failure(sentence: "\"\(file.path)-none\" could not be read: it is not there", code: 66)
    ) { try Session(options: missing, catalogue: Suite.catalogue).run() }
  }

  @Test func aSessionWritesAChartForEachOperation() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("assemblage-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    var options = try Options(
      ["--suite", "bit-index", "--sizes", "64,128", "--samples", "1"], catalogue: Suite.catalogue)
    options.chartDirectory = directory.appendingPathComponent("new").path
    #expect(Session(options: options, catalogue: Suite.catalogue).chosen.map(\.name) == ["bit-index"])
    var printed = ""
    try Session(options: options, catalogue: Suite.catalogue, output: { printed += $0 }).run()
    #expect(printed.contains("bit-index/rank: nanoseconds"))
    let charts = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/new").sorted()
    #expect(
      charts == ["build", "flip", "insert", "rank", "select"].map { "bit-index-\($0).svg" })
  }

  @Test(arguments: [
    ("/dev/null/charts", "a part of the path is no directory"), ("/dev/null", "a part of the path is no directory"),
    ("/proc/none/charts", "it is not there"),
  ])
  func aChartThatCannotBeWrittenIsOneSentence(directory: String, reason: String) throws {
    let words = ["--suite", "bit-index", "--operation", "rank", "--sizes", "64", "--samples", "1"]
    let options = try Options(words + ["--chart", directory], catalogue: Suite.catalogue)
    #expect(
      throws: Failure(sentence: "the chart could not be written: \(directory): \(reason)", code: 73)
    ) { try Session(options: options, catalogue: Suite.catalogue, output: { _ in }).run() }
  }
}
