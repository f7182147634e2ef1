public import Assemblage

/// Follows the stream of a node's changes in the steps of a `StepScheduler`, and checks that the changes lead to the
/// node's contents.
///
/// ```swift
/// let names = ArrayNode(["Ada"])
/// let steps = StepScheduler()
/// let stream = StreamShadow(of: names, steppedBy: steps)
/// while steps.step() {}               // the stream waits for a change now
/// names.append("Grace")
/// names.append("Edsger")
/// while steps.step() {}
/// stream.changeCount                  // 1: both edits, composed
/// try stream.check()
/// ```
///
/// When the stream delivers a change in a step, the shadow applies the change to a copy of the former contents. Then
/// the shadow compares the copy with the node.
public final class StreamShadow<Element: Equatable> {
  private let task: StepTask
  private let steps: StepScheduler
  private let state: State

  private final class State {
    weak var node: (any TreeNode<Element>)?
    let title: String
    var tree: TreeSnapshot<Element>?
    var changeCount = 0
    var finding: String?

    init(_ node: any TreeNode<Element>) {
      self.node = node
      title = name(of: node)
    }

    func follow() async {
      guard var reader = node?.changes.makeAsyncIterator() else { return }
      tree = node.map { TreeSnapshot(of: $0) }
      while let change = await reader.next() { receive(change) }
      tree = nil
    }

    private func receive(_ change: ChangeSet) {
      changeCount += 1
      // The contents of a node that has been released cannot be read.
      guard let node, let former = tree, finding == nil else { return }
      let present = TreeSnapshot(of: node)
      do {
        let replayed = try former.applying(change, new: present)
        if replayed != present {
          finding = "replaying \(change) on \(former) gives \(replayed), and there is \(present)"
        }
      } catch {
        finding = "\(change) cannot be replayed on \(former) to give \(present): \(error)"
      }
      tree = present
    }
  }

  /// Begins to follow a node in the next step; the shadow does not keep the node alive.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - steps: makes the steps of the reader.
  /// - Complexity: O(p) for p places below the node, in that step and for each change.
  public init(of node: any TreeNode<Element>, steppedBy steps: StepScheduler) {
    let state = State(node)
    self.state = state
    self.steps = steps
    task = steps.begin(state) { await $0.follow() }
  }

  deinit { task.cancel() }

  /// How many changes the stream has delivered.
  public var changeCount: Int { state.changeCount }

  /// Ends the reader of the stream, in its next step.
  public func cancel() { task.cancel() }

  /// Throws where a change did not lead to the node's contents.
  ///
  /// Throws also where no step waits, and the node's contents differ from the contents after the last delivered change.
  ///
  /// - Throws: `LawViolation`.
  /// - Complexity: O(p) for p places below the node.
  public func check() throws(LawViolation) {
    if state.finding == nil, steps.waitingCount == 0, let node = state.node, let tree = state.tree {
      let present = TreeSnapshot(of: node)
      if tree != present { state.finding = "it shows \(present), but the changes of the stream lead to \(tree)" }
    }
    guard let finding = state.finding else { return }
    throw LawViolation(.replayAgrees, node: state.title, path: [], finding: finding)
  }
}

@available(*, unavailable)
extension StreamShadow: Sendable {}
