import Foundation
import Testing

@testable import benchmark

/// A user's own data.
@Suite struct InputTests {
  private func data(_ text: String) -> InputData { InputData(Data(text.utf8)) }

  private func tree(_ data: InputData) -> [String] {
    data.elements.map { String(repeating: " ", count: $0.depth) + $0.text }
  }

  @Test func linesPathsAndDocuments() {
    #expect(data("b\na\r\n\nc").kind == .lines && tree(data("b\na\r\n\nc")) == ["b", "a", "c"])
    let paths = data("src/a.c\nREADME\n/src/b/c.h\nsrc/a.c/\n")
    #expect(paths.kind == .paths && tree(paths) == ["src", " a.c", " b", "  c.h", "README"])
    let json = data(#" {"b": [1, {"c": null}], "a": "x"}"#)
    #expect(json.kind == .json && tree(json) == ["a: x", "b", " 0: 1", " 1", "  c: null"])
    #expect(tree(data("\u{FEFF}[true, false, 1, 0, 1.5]")) == ["0: true", "1: false", "2: 1", "3: 0", "4: 1.5"])
    #expect(tree(data("\u{FEFF}a/b")) == ["a", " b"])
    // A list may begin with a bracket, too.
    #expect(data("[id].tsx\n").kind == .lines && data("").elements.isEmpty)
  }

  @Test func aPathMayHaveManyLevels() {
    let path = data(String(repeating: "a/", count: 40_000))
    #expect(path.elements.count == 40_000 && path.elements.last?.depth == 39_999)
    for operation in Suite.input(path).operations {
      for subject in operation.subjects {
        _ = subject.prepare(Context(n: 40_000, generator: SplitMix(seed: 1, name: operation.name, n: 40_000))).run(1)
      }
    }
  }

  @Test func theFirstElementsAreATree() {
    let paths = data("a/b/c\na/d\ne/f\n")
    #expect(paths.tree(3).lists == [[0], [1], [2]])
    #expect(paths.tree(6).roots == [0, 4] && paths.tree(6).children == [[1, 3], [2], [], [], [5], []])
  }

  /// Each operation runs, and its subjects agree.
  @Test(arguments: ["one\ntwo\nthree\nfour\n", "a/e/x\na/bee\nc/d/e\nc\n", #"{"a": [1, 2, {"e": true}], "f": {}}"#])
  func everySubjectDoesTheSameJob(text: String) {
    let data = data(text)
    let suite = Suite.input(data)
    #expect(suite.operations.count == (data.hasBranch ? 6 : 5))
    for operation in suite.operations {
      for n in 1...data.elements.count {
        let results = operation.subjects.map { subject in
          let trial = subject.prepare(Context(n: n, generator: SplitMix(seed: 1, name: operation.name, n: n)))
          let first = trial.run(2)
          trial.reset(2)
          #expect(trial.run(2) == first, "\(operation.name)")
          return first
        }
        #expect(Set(results).count == 1, "\(operation.name), n = \(n): \(results)")
        #expect(operation.subjects.map(\.origin) == [.library, .competitor])
      }
    }
  }

  @Test func filesThatCannotBeMeasuredAreOneSentence() throws {
    let missing = #expect(throws: Failure.self) { try InputData(path: "/no/such/file") }
    #expect(missing?.code == 66 && missing?.sentence == "the input could not be read: /no/such/file: it is not there")
    let empty = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: empty) }
    try Data("\n".utf8).write(to: empty)
    let failure = #expect(throws: Failure.self) { try InputData(path: empty.path) }
    #expect(failure?.code == 65)
  }

  @Test(arguments: [
    (["--input", "x", "--sizes", "8"], "--input measures all of its data"),
    (["--suite", "join", "--input", "x"], "--input measures all of its data"),
    (["--input", "x", "--operation", "scan"], "have no operation \"scan\""),
    (["--input"], "--input needs a value"),
  ])
  func badOptionsAreOneSentence(words: [String], part: String) {
    let error = #expect(throws: UsageError.self) { try Options(words, catalogue: Suite.catalogue) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }
}
