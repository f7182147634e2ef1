/// Begins tasks of an actor, at the request of any thread.
///
/// The actor is not kept alive: it may be the owner of the object that requests the tasks.
final class ActorTasks: Sendable {
  private weak let actor: (any Actor)?

  init(_ actor: any Actor) { self.actor = actor }

  /// Calls a closure in a new task of the actor, if the actor is alive.
  func begin(_ body: @escaping @Sendable () -> Void) {
    guard let actor else { return }
    if actor === MainActor.shared {
      // The main actor gets this task at once. A task of another actor has to wait for a thread first.
      Task { @MainActor in body() }
    } else {
      Task { await Self.call(body, on: actor) }
    }
  }

  private static func call(_ body: () -> Void, on actor: isolated any Actor) { body() }
}
