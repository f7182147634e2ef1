@testable import Assemblage
import Synchronization
import TestSupport
import Testing

@Suite struct InboxTests: MisuseSuite {
  /// Takes batches until there are so many messages.
  private static func read(_ count: Int, from inbox: Inbox<Int>) async -> [[Int]] {
    var batches: [[Int]] = []
    while batches.reduce(0, { $0 + $1.count }) < count, let batch = await inbox.batches.next() { batches.append(batch) }
    return batches
  }

  private static func send(_ number: Int, to inbox: Inbox<Int>) -> Task<Void, any Error> {
    Task { try await inbox.send(number) }
  }

  @Test func whatHasComeIsOneBatch() async throws {
    let inbox = Inbox<Int>()
    try await inbox.send(1)
    try await inbox.send(contentsOf: [2, 3])
    try await inbox.send(contentsOf: [])
    inbox.close()
    inbox.close()
    var batches: [[Int]] = []
    for await batch in inbox.batches { batches.append(batch) }
    #expect(batches == [[1, 2, 3]])
    for await _ in inbox.batches { Issue.record("There is nothing more.") }
  }

  /// More than it holds goes in as there is room, and no batch is larger than the capacity.
  @Test func whoeverSendsMoreWaits() async throws {
    let inbox = Inbox<Int>(capacity: 3)
    let sent = Mutex(0)
    let sender = Task {
      for number in 0..<10 {
        try await inbox.send(number)
        sent.withLock { $0 += 1 }
      }
      try await inbox.send(contentsOf: 10..<20)
    }
    #expect(await eventually { inbox.waitingSenderCount == 1 })
    #expect(sent.withLock { $0 } == 3)
    let batches = await Self.read(20, from: inbox)
    #expect(batches.flatMap(\.self) == Array(0..<20) && batches.allSatisfy { 1...3 ~= $0.count })
    try await sender.value
  }

  @Test func thoseWhoWaitLongestGoFirst() async throws {
    let inbox = Inbox<Int>(capacity: 1)
    try await inbox.send(0)
    var senders: [Task<Void, any Error>] = []
    for number in 1...4 {
      senders.append(Self.send(number, to: inbox))
      #expect(await eventually { inbox.waitingSenderCount == number })
    }
    #expect(await Self.read(5, from: inbox) == [[0], [1], [2], [3], [4]])
    for sender in senders { try await sender.value }
  }

  @Test func closingAndCancellingEndWaiting() async throws {
    let inbox = Inbox<Int>(capacity: 1)
    try await inbox.send(0)
    let cancelled = Task { try await inbox.send(1) }
    let closed = Task { try await inbox.send(contentsOf: [2, 3]) }
    #expect(await eventually { inbox.waitingSenderCount == 2 })
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    inbox.close()
    await #expect(throws: Inbox<Int>.ClosedError.self) { try await closed.value }
    let error = await #expect(throws: Inbox<Int>.ClosedError.self) { try await inbox.send(4) }
    #expect(error?.description == "A message was sent to an inbox that is closed.")
    // What was accepted is not lost.
    #expect(await Self.read(1, from: inbox) == [[0]])
    #expect(await inbox.batches.next() == nil)
  }

  @Test func aReaderThatIsCancelledEnds() async throws {
    let inbox = Inbox<Int>()
    let reader = Task { await inbox.batches.next() }
    #expect(await eventually { inbox.hasWaitingReader })
    reader.cancel()
    #expect(await reader.value == nil)
    // Another one reads on.
    try await inbox.send(1)
    #expect(await inbox.batches.next() == [1])
    let sender = Task {
      while !Task.isCancelled { await Task.yield() }
      try await inbox.send(2)
    }
    sender.cancel()
    await #expect(throws: CancellationError.self) { try await sender.value }
  }

  /// Senders on all cores, some of which give up: nothing is lost, nothing comes twice, and each sender's order stays.
  @Test func manySendersKeepTheirOrders() async throws {
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("inbox", iteration: iteration)
      let inbox = Inbox<(sender: Int, number: Int)>(capacity: Int.random(in: 1...50, using: &generator))
      let sizes = (0..<6).map { _ in Int.random(in: 1...4, using: &generator) }
      let givesUp = (0..<6).map { _ in generator.chance(1, in: 3) }
      let senders = sizes.indices.map { sender in
        Task.detached { () -> Int in
          var accepted = 0
          do {
            while accepted < 400 {
              let end = min(accepted + sizes[sender], 400)
              try await inbox.send(contentsOf: (accepted..<end).map { (sender, $0) })
              accepted = end
            }
          } catch {}
          return accepted
        }
      }
      let closer = Task {
        var accepted: [Int] = []
        for sender in senders { accepted.append(await sender.value) }
        inbox.close()
        return accepted
      }
      var received = [[Int]](repeating: [], count: sizes.count)
      for await batch in inbox.batches {
        #expect(1...inbox.capacity ~= batch.count)
        for message in batch { received[message.sender].append(message.number) }
        for sender in senders.indices where givesUp[sender] && received[sender].count > 200 { senders[sender].cancel() }
      }
      for (sender, accepted) in await closer.value.enumerated() {
        // Of the last ones that it sent together some may have got in.
        let count = received[sender].count
        let end = accepted == 400 ? 401 : accepted + sizes[sender]
        #expect(received[sender] == Array(0..<count) && accepted..<end ~= count)
        #expect(accepted == 400 || givesUp[sender])
      }
    }
  }

  static let misuses = [
    Misuse("An inbox has a capacity of at least 1, not 0.") { _ = Inbox<Int>(capacity: 0) }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
