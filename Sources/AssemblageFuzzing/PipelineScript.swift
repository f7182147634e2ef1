/// What a pipeline fuzzer does, one operation after the other: a value that can be run again, and cut.
///
/// Every operation stands for itself. Its numbers are taken modulo what is there when it is run, and it finds its node
/// by a hash of such a number and the node's own, so that the choice stays the same where *another* node is missing.
/// An operation for which there is no place does nothing. So every part of a script is a script.
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

  /// Whether different rows may have the same id. Then no change can be said not to be minimal.
  var allowsDuplicates: Bool

  /// The number of operations, those inside transactions and observers included.
  package var count: Int { operations.reduce(0) { $0 + $1.size } }
}

/// One operation of a script.
struct PipelineOperation: Hashable, Codable, Sendable {
  /// What kind of operation this is; `Action` says what `numbers` and `body` are for.
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
    /// Runs the body in a transaction, and undoes it.
    case undo
    /// Reads nodes inside a transaction, which settles the graph.
    case look
    /// Follows a node by what it delivers.
    case observe
    /// Observes a node, and runs the body when it changes.
    case react
    /// Shows a node on a screen: a widget in memory with its coordinator.
    case show
    /// Uses a screen: selects, scrolls, holds its updates back.
    case use
    /// Ends an observation, or takes a screen away.
    case cancel
    /// Lets go of a node; others may still derive from it.
    case release
    /// Begins to change the setting with this name on a node of the kind with this name, in the background.
    case begin(kind: String, name: String)
    /// Follows the stream of changes of a node.
    case read
    /// Makes a few steps of what goes on in the background.
    case advance
    /// Cancels something that goes on in the background.
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

  /// What can be done through a node by index path.
  enum Write: String, CaseIterable, Codable, Sendable { case insert, remove, replace, move }

  /// The operation's own number. A node or an observation that it makes, and the rows, are named after it.
  var serial: Int
  var action: Action
  /// What is random about it: taken in order, modulo what there is to choose from; 0 when they are used up.
  var numbers: [Int]
  /// What a transaction or an observer does.
  var body: [PipelineOperation] = []
  /// Whether nothing inside the transaction reads a derived node, sets a view, writes through one, links or observes: then
  /// the whole transaction has one settlement.
  var isQuiet = false

  var size: Int { body.reduce(1) { $0 + $1.size } }
}

extension PipelineScript: CustomStringConvertible {
  /// One line an operation: `12 join.insertMember 93 4 17`.
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
  /// Whether the operation is part of what a rollback or an undo log takes back.
  var isReversible: Bool {
    switch self {
    case .edit, .write, .transaction, .rollback, .look: true
    case .make, .undo, .observe, .react, .show, .use, .cancel, .release: false
    case .begin, .read, .advance, .giveUp: false
    }
  }

  /// Whether the operation says itself whether it settles the graph.
  var knowsWhetherItSettles: Bool {
    switch self {
    case .edit, .write, .transaction, .rollback: true
    default: false
    }
  }
}
