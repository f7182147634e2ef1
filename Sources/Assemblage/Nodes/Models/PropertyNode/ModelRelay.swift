import Observation
import Synchronization

/// A node that shows what a model object holds.
protocol ModelFollower: TreeNode {
  /// Reads the model, and returns what shows it.
  func readModel() -> () -> Void
}

/// Tells nodes that the observable model they read has changed.
///
/// `withObservationTracking` calls back once, before the change, on whichever thread. The call only notes which node is
/// behind; a task of the nodes' isolation, which cannot run before the change has been made, then reads the model again.
final class ModelRelay {
  /// The nodes by number. They take themselves out before they die.
  private var followers: [Int: Follower] = [:]
  private var nextNumber = 0
  private let mailbox: Mailbox

  private struct Follower {
    unowned let node: any ModelFollower
  }

  /// What may be touched from everywhere.
  private final class Mailbox: Sendable {
    /// The numbers of the nodes whose model changed.
    let numbers = Mutex<Set<Int>>([])
    let signal: AsyncStream<Void>.Continuation

    init(_ signal: AsyncStream<Void>.Continuation) { self.signal = signal }
  }

  /// Begins to follow; changes are taken in by a task of an actor.
  init(isolation: isolated any Actor) {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    mailbox = Mailbox(signal)
    Task { [weak self] in
      // Makes the task one of the actor's.
      _ = isolation
      for await _ in signals { self?.settle() }
    }
  }

  deinit { mailbox.signal.finish() }

  /// Begins to tell a node of changes of what it reads.
  ///
  /// - Returns: what the node keeps, and ends before it dies.
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
      mailbox.numbers.withLock { _ = $0.insert(number) }
      mailbox.signal.yield()
    }
  }

  /// Lets the nodes whose model changed show it, in one transaction.
  private func settle() {
    let numbers = mailbox.numbers.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    let nodes = numbers.sorted().compactMap { number in followers[number].map { (number, $0.node) } }
    guard let first = nodes.first?.1 else { return }
    first.performUpdates {
      for (number, node) in nodes { track(number, node)() }
    }
  }
}

/// A node's part in a relay.
struct ModelFollowing {
  let relay: ModelRelay
  fileprivate let number: Int

  /// Tells the node also of changes of what it has come to read since.
  func follow(_ node: any ModelFollower) { _ = relay.track(number, node) }

  /// Ends it, because the node is about to be released.
  func end() { relay.forget(number) }
}

extension PropertyNode: ModelFollower {
  func readModel() -> () -> Void {
    let elements = read()
    return { self.takeIn(elements) }
  }

  /// Takes in what changes in an `@Observable` model by itself from now on.
  ///
  /// ```swift
  /// @MainActor func show(_ person: Person) {          // @Observable final class Person
  ///   let friends = PropertyNode(person, \.friends)
  ///   friends.observeModel()
  ///   person.friends.append("Bo")                     // friends reports it when the main actor is free again
  /// }
  /// ```
  ///
  /// Observation tells of a change before it is made, so the node cannot show it at once: it does when the actor that it
  /// belongs to takes up the next task. Several changes are one then. A caller that cannot wait calls `refresh()`,
  /// after which nothing is left to tell. In a tree of objects it goes for all nodes below, those made later included.
  /// What happens inside the elements is not followed: `update(at:)` tells of that.
  ///
  /// The property, or what its getter reads, has to be observable; of other properties nothing is heard. Calling it again
  /// changes nothing.
  ///
  /// - Parameter isolation: the actor to which the node and the model belong, and on which it is called.
  /// - Complexity: O(m) for m nodes that have been made.
  public func observeModel(isolation: isolated any Actor = #isolation) {
    guard following == nil else { return }
    let relay = ModelRelay(isolation: isolation)
    var open = [self]
    while let node = open.popLast() {
      node.following = relay.follow(node)
      open += node.state.value.nodes.all
    }
  }
}
