@testable import Assemblage
import TestSupport
import Testing

/// Lifetimes: one set of checks for every kind of node, and for objects that follow nodes.
@Suite struct NodeLifetimeTests {
  @Test(arguments: LifetimeKind.all) func whatIsRemovedAndWhatIsCancelledIsReleased(_ kind: LifetimeKind) throws {
    try withLifetimeTracking { tracker in
      let subject = kind.make(tracker)
      tracker.expectRelease(of: subject.source!, "the source")
      tracker.expectRelease(of: subject.object!, "the object")
      var received = 0
      let token = subject.observe?(subject.object!) { [row = tracker.track(-1)] in received += row.payload }
      let left = subject.edit(subject.source!, subject.object)
      guard let token else { return #expect(tracker.liveCount == left) }
      #expect(tracker.liveCount == left + 1 && received < 0)
      (token as? NodeObservation)?.cancel()
      (token as? NodeObservation)?.cancel()
      #expect(tracker.liveCount == left)
      tracker.expectRelease(of: token, "the token")
    }
  }

  @Test(arguments: LifetimeKind.all) func whatDerivesGoesBeforeItsSource(_ kind: LifetimeKind) throws {
    try withLifetimeTracking { tracker in
      var subject = kind.make(tracker)
      guard subject.source !== subject.object, let source = subject.source else { return }
      _ = subject.edit(source, subject.object)
      weak let object = subject.object
      subject.object = nil
      #expect(object == nil)
      #expect((source as? any TreeNode)?.hub.isObserved != true)
      let left = subject.edit(source, nil)
      #expect(tracker.liveCount == left)
    }
  }

  @Test(arguments: LifetimeKind.all) func whatDerivesKeepsItsSource(_ kind: LifetimeKind) throws {
    try withLifetimeTracking { tracker in
      var subject = kind.make(tracker)
      weak let source = subject.source
      subject.source = nil
      let left = try subject.edit(#require(source), subject.object)
      #expect(tracker.liveCount == left)
      subject.object = nil
      #expect(source == nil && tracker.liveCount == 0)
    }
  }

  @Test(arguments: LifetimeKind.all) func aTokenKeepsWhatItObserves(_ kind: LifetimeKind) throws {
    try withLifetimeTracking { tracker in
      var subject = kind.make(tracker)
      var received = 0
      guard let observe = subject.observe else { return }
      var tokens = [observe(subject.object!) { received += 1 }]
      weak let object = subject.object
      subject.object = nil
      _ = subject.edit(subject.source!, object)
      #expect(received > 0 && tokens.count == 1)
      subject.source = nil
      tokens = []
      #expect(object == nil && tracker.liveCount == 0)
    }
  }

  /// Everything is released in a delivery of the object itself, or in an earlier delivery of its source.
  @Test(arguments: LifetimeKind.all, [true, false]) func everythingMayGoInADelivery(
    _ kind: LifetimeKind, isOwn: Bool
  ) throws {
    try withLifetimeTracking { tracker in
      var subject = kind.make(tracker)
      weak let object = subject.object
      var tokens: [AnyObject] = []
      let edit = subject.edit
      let release = {
        subject.object = nil
        subject.source = nil
        tokens = []
      }
      if isOwn {
        guard let observe = subject.observe else { return }
        tokens = [observe(subject.object!, release)]
      } else {
        guard let source = subject.source as? any TreeNode, source !== subject.object else { return }
        tokens = [source.observe { _ in release() }]
      }
      _ = edit(subject.source!, object)
      #expect(object == nil && tokens.isEmpty && tracker.liveCount == 0)
    }
  }

  @Test(arguments: LifetimeKind.nodes) func aDependentGoesBeforeOrAfterItsNode(_ kind: LifetimeKind) throws {
    try withLifetimeTracking { tracker in
      var subject = kind.make(tracker)
      var node = subject.object as? any TreeNode<Tracked<Int>>
      weak let object = subject.object
      let hub = try #require(node?.hub)
      var dependents = [JoinNode([node!]), JoinNode([node!])]
      #expect(hub.isObserved)
      dependents.removeFirst()
      #expect(hub.isObserved)
      dependents.removeFirst()
      #expect(!hub.isObserved)
      dependents = [JoinNode([node!])]
      node = nil
      subject.object = nil
      let left = subject.edit(subject.source!, object)
      #expect(object != nil && tracker.liveCount == left)
      subject.source = nil
      dependents = []
      #expect(object == nil && tracker.liveCount == 0)
    }
  }
}
