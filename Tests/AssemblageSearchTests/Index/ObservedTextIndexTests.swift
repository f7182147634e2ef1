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
}
