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

  /// A reader of a log is notified when all views show the change.
  @Test func aReaderOfALogMayChangeNodes() {
    nonisolated(unsafe) let names = ArrayNode(["a", "b"])
    nonisolated(unsafe) let shown = unsafe FilterNode(names) { $0 != "x" }
    nonisolated(unsafe) let log = unsafe UndoLog(of: names)
    func track(_ change: @escaping @Sendable () -> Void) {
      withObservationTracking {
        _ = unsafe (log.undoCount, log.redoCount)
      } onChange: {
        change()
      }
    }
    track { unsafe names.append("x") }
    unsafe names.remove(at: 0)
    #expect(unsafe shown.elements == ["b"] && names.elements == ["b", "x"] && log.undoCount == 2)
    track { unsafe log.undo() }
    unsafe log.undo()
    #expect(unsafe names.elements == ["a", "b"] && shown.elements == ["a", "b"] && log.redoCount == 2)
    track { unsafe names.append("c") }
    unsafe names.performUpdates { unsafe names.append("y") }
    #expect(unsafe shown.elements == ["a", "b", "y", "c"] && log.undoCount == 2)
    track { unsafe names.append("d") }
    unsafe log.removeAll()
    #expect(unsafe log.undoCount == 1 && names.count == 5)
  }

  /// Observers receive the change of a reader behind the change that the reader was notified of.
  @Test func aTrackedReaderMayChangeNodesAndRead() {
    nonisolated(unsafe) let names = ArrayNode(["p", "q"])
    nonisolated(unsafe) let lengths = unsafe AggregateIndex(of: names, .sum(\.count))
    var received: [ChangeSet] = []
    let token = unsafe lengths.observe { received.append($0) }
    withObservationTracking {
      _ = unsafe lengths.total
    } onChange: {
      unsafe names.append("z")
      _ = unsafe lengths.total
    }
    unsafe names.insert("a", at: 0)
    #expect(received.map(\.description) == ["[+0, +3]"])
    token.cancel()
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
