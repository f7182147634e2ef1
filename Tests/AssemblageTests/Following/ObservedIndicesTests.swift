import Assemblage
import Observation
import Synchronization
import Testing

/// Indices and logs whose reads are tracked, as in the body of a SwiftUI view.
@Suite struct ObservedIndicesTests {
  /// Tracks what a closure reads, and returns a closure that yields whether it has changed since.
  private static func track(_ read: () -> Void) -> () -> Bool {
    final class Flag: Sendable { let isSet = Mutex(false) }
    let flag = Flag()
    withObservationTracking(read) { flag.isSet.withLock { $0 = true } }
    return { flag.isSet.withLock { $0 } }
  }

  @Test func aChangeTrackerIsTracked() {
    let work = BranchNode(value: "work", leaves: ["memo", "report"])
    let tree = BranchNode([.node(work), .leaf("note")])
    let changes = ChangeTracker(of: tree)
    var hasChanged = Self.track { _ = changes.wasChanged }
    #expect(!hasChanged())
    work[1] = .leaf("Report")
    #expect(hasChanged())
    hasChanged = Self.track { _ = changes.changedPaths }
    tree.move(from: 0, to: 1)
    #expect(hasChanged() && changes.changedPaths.contains([1, 1]))
    hasChanged = Self.track { _ = changes.changedCount(at: [1]) }
    changes.markUnchanged()
    #expect(hasChanged() && !changes.wasChanged)
    hasChanged = Self.track { _ = changes.wasChanged }
    changes.markUnchanged()
    #expect(!hasChanged())
  }

  @Test func totalsAreTracked() {
    let names = ArrayNode(["Ada", "Grace"])
    let lengths = AggregateIndex(of: names, .sum(\.count))
    var hasChanged = Self.track { _ = lengths.total }
    names[0] = "Bob"
    #expect(!hasChanged(), "the total is the same")
    names[0] = "Edsger"
    #expect(hasChanged() && lengths.total == 11)
    hasChanged = Self.track { _ = lengths.total(at: [1]) }
    names.move(from: 0, to: 1)
    #expect(hasChanged(), "another element is at the path")
    // A transaction notifies as soon as the index is read.
    hasChanged = Self.track { _ = lengths.total }
    names.performUpdates {
      names.append("Al")
      #expect(lengths.total == 13 && hasChanged())
    }
  }

  /// A sort reads the totals while it translates a change.
  @Test func aTrackedReaderMayChangeNodes() {
    nonisolated(unsafe) let names = ArrayNode(["Ada", "Grace"])
    let lengths = unsafe AggregateIndex(of: names, .sum(\.count))
    let sorted = unsafe SortNode(names, by: lengths)
    withObservationTracking {
      _ = lengths.total
    } onChange: {
      unsafe names.append("Al")
    }
    unsafe names.append("Edsger")
    #expect(sorted.elements == ["Al", "Ada", "Grace", "Edsger"])
  }

  @Test func theStepsOfAnUndoLogAreTracked() {
    let names = ArrayNode(["Ada"])
    let log = UndoLog(of: names)
    var hasChanged = Self.track { _ = log.canUndo }
    names.append("Bob")
    #expect(hasChanged() && log.canUndo)
    hasChanged = Self.track { _ = log.canRedo }
    log.undo()
    #expect(hasChanged() && log.canRedo)
    hasChanged = Self.track { _ = log.undoCount }
    log.redo()
    #expect(hasChanged() && log.undoCount == 1)
    hasChanged = Self.track { _ = log.canUndo }
    log.limit = 0
    #expect(hasChanged() && !log.canUndo)
    hasChanged = Self.track { _ = log.canUndo }
    log.removeAll()
    #expect(!hasChanged())
  }
}
