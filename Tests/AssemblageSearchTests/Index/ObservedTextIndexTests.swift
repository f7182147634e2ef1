import Assemblage
import AssemblageSearch
import Observation
import Synchronization
import Testing

@Suite struct ObservedTextIndexTests {
  @Test func searchesAreTracked() {
    final class Flag: Sendable { let count = Mutex(0) }
    let flag = Flag()
    let names = ArrayNode(["Ada", "Grace"])
    let index = TextIndex(of: names)
    func search() -> Int {
      withObservationTracking {
        index.count(for: .substring("ad"))
      } onChange: {
        flag.count.withLock { $0 += 1 }
      }
    }
    #expect(search() == 1 && flag.count.withLock { $0 } == 0)
    names.append("Adele")
    #expect(flag.count.withLock { $0 } == 1 && search() == 2)
    names.append("Bob")
    #expect(flag.count.withLock { $0 } == 2)
  }

  @Test func allTextsCountAsReadWhereNoneIsLeft() {
    #expect(TextIndex(of: ArrayNode(["Ada"])).readFraction == 1)
    let names = ArrayNode(["Ada", "Bob"])
    let index = TextIndex(of: names, reading: .later)
    #expect(index.readTexts(atMost: 1) && index.readFraction == 0.5)
    while index.readTexts(atMost: 9) {}
    names.append(contentsOf: ["Cy", "Di"])
    #expect(index.readFraction == 1)
  }

  /// Texts that were read leave, and others arrive before the first unread text.
  @Test func theFractionFollowsTheTexts() {
    let names = ArrayNode(["Ada", "Bob", "Cy", "Di"])
    let index = TextIndex(of: names, reading: .later)
    #expect(index.readTexts(atMost: 3) && index.readFraction == 0.75)
    names.removeSubrange(0..<2)
    #expect(index.readFraction == 0.5)
    names.insert(contentsOf: ["Eve", "Flo"], at: 0)
    #expect(index.readFraction == 0.75)
    names.removeSubrange(2..<4)
    #expect(index.readFraction == 1 && !index.readTexts(atMost: 1))
  }

  @Test func textsThatAreReadLaterAreTracked() {
    final class Flag: Sendable { let isSet = Mutex(false) }
    let flag = Flag()
    let index = TextIndex(of: ArrayNode(["Ada", "Adele"]), reading: .later)
    withObservationTracking {
      _ = index.readFraction
    } onChange: {
      flag.isSet.withLock { $0 = true }
    }
    #expect(index.readTexts(atMost: 1) && flag.isSet.withLock { $0 })
  }

  @Test func aTrackedReaderMayChangeNodesAndSearch() {
    nonisolated(unsafe) let names = ArrayNode(["Ada", "Bob"])
    nonisolated(unsafe) let index = unsafe TextIndex(of: names)
    withObservationTracking {
      _ = unsafe index.count(for: .substring("a"))
    } onChange: {
      unsafe names.append("Adele")
      _ = unsafe index.count(for: .substring("a"))
    }
    unsafe names.insert("Alan", at: 0)
    let count = unsafe index.count(for: .substring("a"))
    #expect(count == 3)
  }

  /// A filter searches while it translates a change.
  @Test func aTrackedReaderMayChangeNodes() {
    nonisolated(unsafe) let names = ArrayNode(["Ada", "Grace"])
    let index = unsafe TextIndex(of: names)
    let filter = unsafe FilterNode(names) { name in
      _ = index.count(for: .substring("a"))
      return name.count < 6
    }
    withObservationTracking {
      _ = index.count(for: .substring("a"))
    } onChange: {
      unsafe names.append("Al")
    }
    unsafe names.append("Edsger")
    #expect(filter.elements == ["Ada", "Grace", "Al"])
  }
}
