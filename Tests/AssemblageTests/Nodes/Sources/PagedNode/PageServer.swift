import Assemblage
import Synchronization
import TestSupport

/// A server of rows whose answers are given by the test, in any order.
@MainActor final class PageServer {
  struct Failure: Error, Equatable { var text = "" }

  /// A request that has not been answered.
  struct Request: Sendable {
    let number: Int
    let range: Range<Int>
    let continuation: CheckedContinuation<[Int], any Error>
  }

  /// Whether a request whose task is cancelled is answered with an error at once. Otherwise the test has to answer it.
  let heedsCancellation: Bool
  /// The requested ranges, in order.
  private(set) var asked: [Range<Int>] = []
  private(set) var mostAtOnce = 0
  private let open = Mutex<(requests: [Request], cancelled: Set<Int>)>(([], []))

  init(heedsCancellation: Bool = false) { self.heedsCancellation = heedsCancellation }

  /// The requests that have not been answered, in the order in which they were made.
  var requests: [Request] { open.withLock { $0.requests } }

  var ranges: [Range<Int>] { requests.map(\.range) }

  /// The requests that have not been answered, and whose tasks have not been cancelled.
  var current: [Request] { open.withLock { open in open.requests.filter { !open.cancelled.contains($0.number) } } }

  /// The numbers of the requests whose tasks have been cancelled.
  var cancelled: Set<Int> { open.withLock { $0.cancelled } }

  func rows(in range: Range<Int>) async throws -> [Int] {
    let number = asked.count
    asked.append(range)
    let heeds = heedsCancellation
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        open.withLock { $0.requests.append(Request(number: number, range: range, continuation: continuation)) }
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

  /// Waits until a page is requested, and answers the newest request for it, by default with ten times the positions.
  func answer(_ start: Int, _ rows: [Int]? = nil) async {
    let request = await request(start)
    answer(request.number, .success(rows ?? request.range.map { $0 * 10 }))
  }

  /// Waits until a page is requested, and answers the newest request for it with an error.
  func fail(_ start: Int, _ error: any Error = Failure()) async {
    answer(await request(start).number, .failure(error))
  }

  private func request(_ start: Int) async -> Request {
    let isAsked = await eventually { current.contains { $0.range.lowerBound == start } }
    precondition(isAsked, "nobody asked for the page at \(start)")
    return current.last { $0.range.lowerBound == start }!
  }

  /// Answers a request.
  func answer(_ number: Int, _ answer: Result<[Int], any Error>) {
    take(number)?.continuation.resume(with: answer)
  }

  /// Answers all open requests, so that no task waits for ever.
  func close() {
    for request in requests { answer(request.number, .failure(CancellationError())) }
  }

  func node(
    _ count: PagedCount, pageSize: Int = 10, keeping: Int = 4, atMost limit: Int = 2
  ) -> PagedNode<Int> {
    PagedNode(count: count, pageSize: pageSize, keeping: keeping, atMost: limit) { try await self.rows(in: $0) }
  }
}

extension PagedRow<Int> {
  /// A short text for the contents of the row.
  var word: String {
    switch self {
    case .loading: "…"
    case .failed: "!"
    case .loaded(let value): "\(value)"
    }
  }
}
