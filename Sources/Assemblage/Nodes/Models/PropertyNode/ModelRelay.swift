import Observation
import Synchronization

/// A node that shows values of a model object.
protocol ModelFollower: TreeNode {
  /// Reads the model, and returns a closure that shows the values.
  func readModel() -> () -> Void
}

/// Notifies nodes when the observable model that they read has changed.
///
/// `withObservationTracking` makes one call, before the change, on any thread. The call only notes which node must read
/// its model again, and begins a short task. That task reads the model on the nodes' actor. The task cannot run before
/// the change has been made. No task waits in the meantime, because the task would keep the actor alive.
final class ModelRelay {
  /// The nodes by number; each node removes itself before it is released.
  private var followers: [Int: Follower] = [:]
  private var nextNumber = 0
  private let tasks: ActorTasks
  private lazy var mailbox = Mailbox(self, tasks)

  private struct Follower {
    unowned let node: any ModelFollower
  }

  /// The state that any thread may use.
  ///
  /// `@unchecked Sendable`, because the reference to the relay is constant, and only code on the actor follows it.
  private final class Mailbox: @unchecked Sendable {
    /// The numbers of the nodes whose models changed.
    private let numbers = Mutex<Set<Int>>([])
    private weak let relay: ModelRelay?
    private let tasks: ActorTasks

    init(_ relay: ModelRelay, _ tasks: ActorTasks) {
      self.relay = relay
      self.tasks = tasks
    }

    /// Notes that the model of a node is about to change.
    func note(_ number: Int) {
      let isFirst = numbers.withLock { numbers in
        defer { numbers.insert(number) }
        return numbers.isEmpty
      }
      // The actor reads the models after the job that changes them.
      if isFirst { tasks.begin { self.relay?.settle() } }
    }

    /// Removes and returns the numbers of the nodes whose models changed.
    func takeNumbers() -> Set<Int> {
      numbers.withLock { numbers in
        defer { numbers = [] }
        return numbers
      }
    }
  }

  /// Begins to follow models; tasks of the actor read them again after changes.
  init(isolation: any Actor) { tasks = ActorTasks(isolation) }

  /// Begins to notify a node of changes of the values that it reads.
  ///
  /// - Returns: the handle that the node keeps, and ends before it is released.
  func follow(_ node: any ModelFollower) -> ModelFollowing {
    let number = nextNumber
    nextNumber += 1
    followers[number] = Follower(node: node)
    _ = track(number, node)
    return ModelFollowing(relay: self, number: number)
  }

  fileprivate func forget(_ number: Int) { followers[number] = nil }

  fileprivate func track(_ number: Int, _ node: any ModelFollower) -> () -> Void {
    withObservationTracking {
      node.readModel()
    } onChange: { [mailbox] in
      mailbox.note(number)
    }
  }

  /// Lets all nodes with changed models show the changes, in one transaction.
  fileprivate func settle() {
    let nodes = mailbox.takeNumbers().sorted().compactMap { number in followers[number].map { (number, $0.node) } }
    guard let first = nodes.first?.1 else { return }
    first.performUpdates {
      for (number, node) in nodes { track(number, node)() }
    }
  }
}

/// The link between one node and its relay.
struct ModelFollowing {
  let relay: ModelRelay
  fileprivate let number: Int

  /// Notifies the node also of changes of properties that it has begun to read since.
  func follow(_ node: any ModelFollower) { _ = relay.track(number, node) }

  /// Ends the notifications, because the node is about to be released.
  func end() { relay.forget(number) }
}

extension PropertyNode: ModelFollower {
  func readModel() -> () -> Void {
    let elements = read()
    return { self.takeIn(elements) }
  }

  /// Follows the changes of an `@Observable` model from now on, without calls of `refresh()`.
  ///
  /// ```swift
  /// @MainActor func show(_ person: Person) {          // @Observable final class Person
  ///   let friends = PropertyNode(person, \.friends)
  ///   friends.observeModel()
  ///   person.friends.append("Bo")                     // friends reports it when the main actor is free again
  /// }
  /// ```
  ///
  /// Observation reports a change before the change is made, so the node cannot show the change at once. The node shows
  /// the change in a later task of its actor. Several changes are one by then. A caller that cannot wait calls
  /// `refresh()`. Then there is nothing left to report. In a tree of objects, the node and all nodes below it follow
  /// the model, also nodes that are made later. Changes inside the elements are not followed: the owner reports them
  /// with `update(at:)`.
  ///
  /// The property, or the values that its getter reads, must be observable. Changes of other properties are not
  /// noticed. A second call has no effect.
  ///
  /// - Parameter isolation: the actor of the node and the model, on which this method is called.
  /// - Complexity: O(m) for m nodes that have been made.
  public func observeModel(isolation: isolated any Actor = #isolation) {
    guard following == nil else { return }
    follow(with: ModelRelay(isolation: isolation))
  }

  /// Begins to follow the models of this node and of all nodes below it that have been made.
  func follow(with relay: ModelRelay) {
    var open = [self]
    while let node = open.popLast() {
      if node.following == nil { node.following = relay.follow(node) }
      open += node.state.value.nodes.all
    }
  }
}
