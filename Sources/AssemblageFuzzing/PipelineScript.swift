/// The operations of a pipeline fuzzer, one after the other: a value that can be run again, and cut.
///
/// Every operation is independent of the others. At run time, its numbers are taken modulo the number of choices. An
/// operation finds its node by a hash of one of its numbers and the node's own number. So the choice stays the same
/// where *another* node is missing. An operation that is not possible does nothing. So every part of a script is a
/// script.
///
/// ```swift
/// let fuzzer = PipelineFuzzer(seed: 1)
/// let script = fuzzer.script(7)
/// print(script)               // an operation on each line
/// try fuzzer.check(script)    // runs it alone
/// fuzzer.code(of: script)     // "import Assemblage …": a Swift function that does the same
/// ```
package struct PipelineScript: Hashable, Sendable {
  /// The operations, in order.
  var operations: [PipelineOperation]

  /// Whether different rows may have the same id. If so, no check can say that a change is not minimal.
  var allowsDuplicates: Bool

  /// The number of operations, with the operations inside transactions and observers.
  package var count: Int { operations.reduce(0) { $0 + $1.size } }
}

/// One operation of a script.
struct PipelineOperation: Hashable, Codable, Sendable {
  /// The kind of an operation. The kind decides how `numbers` and `body` are used.
  enum Action: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Makes a node of the kind with this name.
    case make(String)
    /// Makes the edit with this name on a node of the kind with this name.
    case edit(kind: String, name: String)
    /// Writes through any node that can be written, by index path.
    case write(Write)
    /// Runs the body in a transaction.
    case transaction
    /// Runs the body in a transaction that throws at its end.
    case rollback
    /// Runs the body in a transaction, and reverts the transaction by an undo log.
    case undo
    /// Reads nodes inside a transaction, which settles the graph.
    case look
    /// Follows a node by the changes that the node reports.
    case observe
    /// Observes a node, and runs the body when it changes.
    case react
    /// Shows a node on a screen: a widget in memory with its coordinator.
    case show
    /// Uses a screen: selects, scrolls, holds the updates of the screen back.
    case use
    /// Ends an observation, or removes a screen.
    case cancel
    /// Releases a node. Other nodes may still derive from it.
    case release
    /// Begins to change the setting with this name on a node of the kind with this name, in the background.
    case begin(kind: String, name: String)
    /// Follows the stream of changes of a node.
    case read
    /// Makes a few steps of the background work.
    case advance
    /// Cancels one piece of background work, or one reader.
    case giveUp

    var description: String {
      switch self {
      case .make(let kind): "make.\(kind)"
      case .edit(let kind, let name): "\(kind).\(name)"
      case .write(let write): "write.\(write)"
      case .transaction: "transaction"
      case .rollback: "rollback"
      case .undo: "undo"
      case .look: "look"
      case .observe: "observe"
      case .react: "react"
      case .show: "show"
      case .use: "use"
      case .cancel: "cancel"
      case .release: "release"
      case .begin(let kind, let name): "\(kind).\(name).begin"
      case .read: "read"
      case .advance: "advance"
      case .giveUp: "giveUp"
      }
    }
  }

  /// The writes through a node by index path.
  enum Write: String, CaseIterable, Codable, Sendable { case insert, remove, replace, move }

  /// The operation's own number. The node, the observation and the rows that the operation makes are named after it.
  var serial: Int
  var action: Action
  /// The random numbers of the operation. They are used in order, modulo the number of choices. After the last one,
  /// each number is 0.
  var numbers: [Int]
  /// The operations of a transaction or of an observer.
  var body: [PipelineOperation] = []
  /// Whether no operation in the body reads a derived node, sets a view, writes through a view, links or observes. Then
  /// the whole transaction has one settlement.
  var isQuiet = false

  var size: Int { body.reduce(1) { $0 + $1.size } }
}

extension PipelineScript: CustomStringConvertible {
  /// The script with an operation on each line: `12 join.insertMember 93 4 17`.
  package var description: String {
    var lines: [String] = []
    func add(_ operations: [PipelineOperation], indent: String) {
      for operation in operations {
        let action = (operation.isQuiet ? "quiet " : "") + "\(operation.action)"
        let words = ["\(operation.serial)", action] + operation.numbers.map(String.init)
        lines.append(indent + words.joined(separator: " "))
        add(operation.body, indent: indent + "  ")
      }
    }
    add(operations, indent: "")
    return lines.joined(separator: "\n")
  }
}

extension PipelineOperation.Action {
  /// Whether a rollback or an undo log can revert the operation.
  var isReversible: Bool {
    switch self {
    case .edit, .write, .transaction, .rollback, .look: true
    case .make, .undo, .observe, .react, .show, .use, .cancel, .release: false
    case .begin, .read, .advance, .giveUp: false
    }
  }

  /// Whether the operation decides itself whether the graph is settled.
  var knowsWhetherItSettles: Bool {
    switch self {
    case .edit, .write, .transaction, .rollback: true
    default: false
    }
  }
}
