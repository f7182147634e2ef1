import CommandSupport
import Foundation

/// The results of an earlier run, as `--format json` wrote them.
struct EarlierRun {
  /// The identity of a figure.
  struct Key: Hashable, Comparable {
    let suite: String
    let operation: String
    let subject: String
    let n: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.suite, left.operation, left.subject, left.n) < (right.suite, right.operation, right.subject, right.n)
    }

    func isOf(_ operation: Operation, _ suite: Suite) -> Bool {
      self.operation == operation.name && self.suite == suite.name
    }

    /// The key as text, for example `outline/collapse OutlineNode at n = 65,536`.
    var text: String { "\(suite)/\(operation) \(subject) at n = \(Decimal.grouped(n))" }
  }

  private var lines: [Key: ResultLine] = [:]

  /// Reads a file.
  ///
  /// - Throws: `Failure` where the file cannot be read, or does not have the form of `--format json`.
  init(path: String) throws(Failure) {
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else {
      throw Failure(sentence: "\"\(path)\" could not be read: \(systemWords(errno))", code: 66)
    }
    guard let data = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() else {
      throw Failure(sentence: "\"\(path)\" could not be read: it is empty, or no file", code: 66)
    }
    try self.init(text: String(decoding: data, as: UTF8.self), name: path)
  }

  /// Reads results, with an object on each line. If one file contains several runs, the line with the best sample
  /// counts.
  ///
  /// - Throws: `Failure` where a line is no result, or there is no line.
  init(text: String, name: String) throws(Failure) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      guard let result = try? JSONDecoder().decode(ResultLine.self, from: Data(line.utf8)) else {
        throw Failure(
          sentence: "line \(number + 1) of \"\(name)\" is no result, as --format json writes them", code: 65)
      }
      let key = Key(suite: result.suite, operation: result.operation, subject: result.subject, n: result.n)
      if let other = lines[key], other.minimum <= result.minimum { continue }
      lines[key] = result
    }
    if lines.isEmpty { throw Failure(sentence: "\"\(name)\" holds no results", code: 65) }
  }

  subscript(key: Key) -> ResultLine? { lines[key] }
}

/// The reason why a run ends, in one sentence, and the exit code.
struct Failure: Error, Equatable {
  let sentence: String
  let code: Int32
}

extension OperationResult {
  func key(_ measurement: Measurement) -> EarlierRun.Key {
    EarlierRun.Key(suite: suite, operation: operation, subject: measurement.subject, n: measurement.n)
  }
}
