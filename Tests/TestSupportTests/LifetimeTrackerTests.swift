import TestSupport
import Testing

@Suite struct LifetimeTrackerTests {
  @Test func countsTheLiving() throws {
    let total = try withLifetimeTracking { tracker in
      var elements = tracker.track(0..<5)
      #expect(tracker.liveCount == 5)
      elements.removeFirst(2)
      #expect(tracker.liveCount == 3)
      #expect(elements.map(\.serial) == [2, 3, 4])
      return tracker.totalCount
    }
    #expect(total == 5)
  }

  @Test func reportsALeak() {
    var escaped: Tracked<String>?
    let error = #expect(throws: LeakedElements.self) {
      try withLifetimeTracking { tracker in escaped = tracker.track("kept") }
    }
    #expect(error?.count == 1)
    #expect(error?.description == "1 alive: element kept")
    #expect(escaped?.payload == "kept")
  }

  @Test func watchesOtherObjects() throws {
    final class Node { var next: Node? }
    try withLifetimeTracking { tracker in
      tracker.expectRelease(of: Node(), "released at once")
    }
    var cycle: Node? = Node()
    cycle?.next = cycle
    let error = #expect(throws: LeakedElements.self) {
      try withLifetimeTracking { tracker in
        if let cycle { tracker.expectRelease(of: cycle, "a cycle") }
      }
    }
    #expect(error?.description == "1 alive: a cycle")
    cycle?.next = nil
    cycle = nil
  }

  @Test func passesErrorsOn() {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try withLifetimeTracking { _ in throw Failure() } }
  }

  @Test func comparesByPayload() throws {
    try withLifetimeTracking { tracker in
      let (a, b, c) = (tracker.track(1), tracker.track(1), tracker.track(2))
      #expect(a == b && a != c && a < c && Set([a, b, c]).count == 2)
    }
  }
}
