import Assemblage
import Testing

/// Collects the changes that an observer of a node receives.
@MainActor final class ReceivedChanges<Element> {
  private(set) var changes: [ChangeSet] = []
  private var token: NodeObservation?

  init(_ node: any TreeNode<Element>) { token = node.observe { [unowned self] in changes.append($0) } }

  /// The delta of the only change since the last call.
  func only(_ location: SourceLocation = #_sourceLocation) -> Delta {
    #expect(changes.count == 1, sourceLocation: location)
    defer { changes = [] }
    return changes.first?.delta ?? Delta()
  }
}
