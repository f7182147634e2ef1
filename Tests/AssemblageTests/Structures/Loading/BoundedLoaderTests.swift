@testable import Assemblage
import TestSupport
import Testing

@MainActor @Suite struct BoundedLoaderTests {
  /// A client whose loads are answered by the test.
  private final class Client: LoadClient {
    struct Failure: Error {}

    private(set) var asked: [Int] = []
    private(set) var answers: [String] = []
    private(set) var prepared = 0
    /// The keys that are not needed any more.
    var unwanted: Set<Int> = []
    private var open: [(key: Int, continuation: CheckedContinuation<String, any Error>)] = []
    let loader: BoundedLoader<Client>

    init(limit: Int) {
      loader = BoundedLoader(limit: limit, actor: MainActor.shared)
      loader.client = self
    }

    func prepareForLoads() { prepared += 1 }

    func load(of key: Int) -> (() async throws -> String)? {
      if unwanted.contains(key) { return nil }
      return { [self] in try await fetch(key) }
    }

    private func fetch(_ key: Int) async throws -> String {
      asked.append(key)
      return try await withCheckedThrowingContinuation { open.append((key, $0)) }
    }

    func take(_ answer: Result<String, any Error>, of key: Int) {
      answers.append("\(key): \((try? answer.get()) ?? "failed")")
    }

    /// Answers the first open question about a key; nil means an error.
    func answer(_ key: Int, _ text: String?) {
      let index = open.firstIndex { $0.key == key }!
      open.remove(at: index).continuation.resume(with: text.map { .success($0) } ?? .failure(Failure()))
    }
  }

  @Test func theBoundHolds() async {
    let client = Client(limit: 2)
    for key in 1...4 { client.loader.ask(key, .new) }
    client.loader.ask(4, .next)
    #expect(client.asked.isEmpty && client.loader.keys == [1, 2, 3, 4])
    // Loads that begin at the same time may ask in either order, and their answers may arrive in either order.
    #expect(await eventually { client.asked.count == 2 && Set(client.asked) == [4, 1] })
    #expect(client.prepared == 1)
    client.answer(1, "one")
    #expect(await eventually { client.asked.count == 3 && client.asked.last == 2 })
    client.answer(4, nil)
    client.answer(2, "two")
    #expect(await eventually { client.asked.count == 4 && client.asked.last == 3 })
    client.answer(3, "three")
    #expect(await eventually { client.answers.count == 4 })
    #expect(client.answers.first == "1: one")
    #expect(Set(client.answers) == ["1: one", "4: failed", "2: two", "3: three"])
    #expect(client.loader.count == 0)
  }

  @Test func theAnswerToASupersededLoadIsIgnored() async {
    let client = Client(limit: 2)
    client.loader.ask(1, .again)
    // The load is still waiting, and will ask for the present state.
    client.loader.supersede(1, .again)
    #expect(await eventually { client.asked == [1] })
    client.loader.supersede(1, .again)
    #expect(await eventually { client.asked == [1, 1] })
    client.answer(1, "old")
    client.answer(1, "new")
    #expect(await eventually { client.answers == ["1: new"] })
  }

  @Test func aDroppedLoadCountsUntilItHasReturned() async {
    let client = Client(limit: 1)
    client.loader.ask(1, .new)
    #expect(await eventually { client.asked == [1] })
    client.loader.ask(2, .new)
    client.loader.drop(1)
    #expect(!client.loader.isLoading(1) && client.loader.isLoading(2))
    for _ in 0..<10 { await Task.yield() }
    #expect(client.asked == [1])
    client.answer(1, "one")
    #expect(await eventually { client.asked == [1, 2] })
    client.answer(2, "two")
    #expect(await eventually { client.answers == ["2: two"] })
  }

  @Test func whatIsNotNeededLeavesItsTurnToOthers() async {
    let client = Client(limit: 1)
    client.unwanted = [1]
    for key in 1...2 { client.loader.ask(key, .new) }
    #expect(await eventually { client.asked == [2] })
    #expect(client.loader.keys == [2])
    client.answer(2, "two")
    #expect(await eventually { client.answers == ["2: two"] })
  }
}
