import Assemblage
import Synchronization
import TestSupport

/// An element of a tree of files.
struct RemoteEntry: Hashable, Sendable {
  var name: String
  var isFolder = true
  var version = 0

  static func folders(_ names: String...) -> [RemoteEntry] { names.map { RemoteEntry(name: $0) } }

  static func files(_ names: String...) -> [RemoteEntry] { names.map { RemoteEntry(name: $0, isFolder: false) } }
}

/// A server whose answers are given by the test, in any order.
@MainActor final class ScriptedSource {
  struct Failure: Error, Equatable { var text = "" }

  /// A request that has not been answered.
  struct Request: Sendable {
    let number: Int
    let name: String
    let continuation: CheckedContinuation<[RemoteEntry], any Error>
  }

  /// Whether a request whose task is cancelled is answered with an error at once. Otherwise the test has to answer it.
  let heedsCancellation: Bool
  /// The requested names, in order.
  private(set) var asked: [String] = []
  private(set) var mostAtOnce = 0
  private let open = Mutex<(requests: [Request], cancelled: Set<Int>)>(([], []))

  init(heedsCancellation: Bool = false) { self.heedsCancellation = heedsCancellation }

  /// The requests that have not been answered, in the order in which they were made.
  var requests: [Request] { open.withLock { $0.requests } }

  var names: [String] { requests.map(\.name) }

  /// The numbers of the requests whose tasks have been cancelled.
  var cancelled: Set<Int> { open.withLock { $0.cancelled } }

  func entries(of name: String) async throws -> [RemoteEntry] {
    let number = asked.count
    asked.append(name)
    let heeds = heedsCancellation
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        open.withLock { $0.requests.append(Request(number: number, name: name, continuation: continuation)) }
        mostAtOnce = max(mostAtOnce, requests.count)
        if heeds, Task.isCancelled { take(number)?.continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      open.withLock { _ = $0.cancelled.insert(number) }
      if heeds { take(number)?.continuation.resume(throwing: CancellationError()) }
    }
  }

  nonisolated private func take(_ number: Int) -> Request? {
    open.withLock { open in
      let index = open.requests.firstIndex { $0.number == number }
      return index.map { open.requests.remove(at: $0) }
    }
  }

  /// Waits until a name is requested, and answers the oldest request for it.
  func answer(_ name: String, _ entries: [RemoteEntry]) async {
    let isAsked = await eventually { names.contains(name) }
    precondition(isAsked, "nobody asked for \(name)")
    answer(requests.first { $0.name == name }!.number, .success(entries))
  }

  /// Waits until a name is requested, and answers the oldest request for it with an error.
  func fail(_ name: String, _ error: any Error = Failure()) async {
    let isAsked = await eventually { names.contains(name) }
    precondition(isAsked, "nobody asked for \(name)")
    answer(requests.first { $0.name == name }!.number, .failure(error))
  }

  /// Answers a request.
  func answer(_ number: Int, _ answer: Result<[RemoteEntry], any Error>) {
    take(number)?.continuation.resume(with: answer)
  }

  /// Answers all open requests, so that no task waits for ever.
  func close() {
    for request in requests { answer(request.number, .failure(CancellationError())) }
  }

  func tree(
    atMost limit: Int = 4, whenCollapsed policy: HierarchyNode<RemoteEntry>.CollapsePolicy = .keepLoading
  ) -> HierarchyNode<RemoteEntry> {
    HierarchyNode(
      RemoteEntry(name: "/"), id: \.name, hasChildren: { $0.isFolder }, atMost: limit, whenCollapsed: policy,
      loading: { try await self.entries(of: $0.name) })
  }
}

extension LoadState {
  /// The case's name.
  var word: String {
    switch self {
    case .unloaded: "unloaded"
    case .loading: "loading"
    case .failed: "failed"
    case .loaded: "loaded"
    }
  }
}
