@_spi(NodeAuthors) import Assemblage
import TestSupport
import Testing

/// Every edit of an `ArrayNode`: the contents afterwards, and the deliveries.
@Suite struct ArrayNodeTests {
  private struct Stop: Error {}

  /// One array, the shortest possible pieces, and short pieces.
  private static let capacities = [(small: 2_048, chunk: 1_024), (small: 0, chunk: 2), (small: 2, chunk: 4)]

  /// Makes one edit of nodes with the given letters, with each kind of chunks.
  ///
  /// The contents are compared, and so are the deliveries: one of `delta`, or none if it is nil.
  private func expect(
    _ before: String, becomes after: String, delivering delta: Delta?,
    sourceLocation: SourceLocation = #_sourceLocation, _ edit: (ArrayNode<Character>) throws -> Void
  ) rethrows {
    for (small, chunk) in Self.capacities {
      let node = ArrayNode(before, small: small, chunk: chunk)
      var received: [ChangeSet] = []
      let token = node.observe { received.append($0) }
      try edit(node)
      #expect(String(node.elements) == after, sourceLocation: sourceLocation)
      #expect(node.count == after.count, sourceLocation: sourceLocation)
      #expect(received == (delta.map { [ChangeSet($0)] } ?? []), sourceLocation: sourceLocation)
      token.cancel()
    }
  }

  // MARK: Insertions and removals

  @Test func insertions() {
    expect("abc", becomes: "xabc", delivering: .insertion(0..<1)) { $0.insert("x", at: 0) }
    expect("abc", becomes: "abxc", delivering: .insertion(2..<3)) { $0.insert("x", at: 2) }
    expect("abc", becomes: "abcx", delivering: .insertion(3..<4)) { $0.insert("x", at: 3) }
    expect("", becomes: "x", delivering: .insertion(0..<1)) { $0.insert("x", at: 0) }
    expect("abc", becomes: "abcx", delivering: .insertion(3..<4)) { $0.append("x") }
    expect("abc", becomes: "axyzbc", delivering: .insertion(1..<4)) { $0.insert(contentsOf: "xyz", at: 1) }
    expect("abc", becomes: "abc", delivering: nil) { $0.insert(contentsOf: "", at: 3) }
    expect("abc", becomes: "abcxy", delivering: .insertion(3..<5)) { $0.append(contentsOf: "xy") }
    expect("abc", becomes: "abc", delivering: nil) { $0.append(contentsOf: []) }
    expect("", becomes: "xy", delivering: .insertion(0..<2)) { $0.append(contentsOf: "xy") }
  }

  @Test func removals() {
    expect("abc", becomes: "bc", delivering: .removal(0..<1)) { #expect($0.remove(at: 0) == "a") }
    expect("abc", becomes: "ab", delivering: .removal(2..<3)) { #expect($0.remove(at: 2) == "c") }
    expect("abc", becomes: "bc", delivering: .removal(0..<1)) { #expect($0.removeFirst() == "a") }
    expect("abc", becomes: "ab", delivering: .removal(2..<3)) { #expect($0.removeLast() == "c") }
    expect("abc", becomes: "c", delivering: .removal(0..<2)) { $0.removeSubrange(..<2) }
    expect("abc", becomes: "a", delivering: .removal(1..<3)) { $0.removeSubrange(1...) }
    expect("abc", becomes: "abc", delivering: nil) { $0.removeSubrange(..<0) }
    expect("abc", becomes: "abc", delivering: nil) { $0.removeSubrange(3...) }
    expect("abc", becomes: "", delivering: .removal(0..<3)) { $0.removeSubrange(..<3) }
    expect("abc", becomes: "", delivering: .removal(0..<3)) { $0.removeSubrange(0...) }
    expect("abcde", becomes: "ae", delivering: .removal(1..<4)) { $0.removeSubrange(1..<4) }
    expect("abcde", becomes: "abcde", delivering: nil) { $0.removeSubrange(5..<5) }
    expect("abcde", becomes: "", delivering: .removal(0..<5)) { $0.removeAll() }
    expect("", becomes: "", delivering: nil) { $0.removeAll() }
    expect("a", becomes: "", delivering: .removal(0..<1)) { #expect($0.removeChild(at: 0).value == "a") }
  }

  @Test func removalsByPredicate() throws {
    expect("abcabc", becomes: "bcbc", delivering: Delta(removals: [0..<1, 3..<4])) {
      $0.removeAll { $0 == "a" }
    }
    expect("aabca", becomes: "bc", delivering: Delta(removals: [0..<2, 4..<5])) { $0.removeAll { $0 == "a" } }
    expect("abc", becomes: "", delivering: .removal(0..<3)) { $0.removeAll { _ in true } }
    expect("abc", becomes: "abc", delivering: nil) { $0.removeAll { _ in false } }
    expect("", becomes: "", delivering: nil) { $0.removeAll { _ in true } }
    expect("abc", becomes: "abc", delivering: nil) { node in
      #expect(throws: Stop.self) {
        try node.removeAll { if $0 == "c" { throw Stop() } else { true } }
      }
    }
    expect("abc", becomes: "b", delivering: Delta(removals: [0..<1, 2..<3])) { node in
      var asked = ""
      node.removeAll {
        asked.append($0)
        // No element is removed before the closure has been called for all.
        #expect(node.count == 3)
        return $0 != "b"
      }
      #expect(asked == "abc")
    }
  }

  @Test func replacementsOfRanges() {
    let replaced = Delta(removals: [1..<3], insertions: [1..<2])
    expect("abcd", becomes: "axd", delivering: replaced) { $0.replaceSubrange(1..<3, with: "x") }
    expect("abcd", becomes: "ad", delivering: .removal(1..<3)) { $0.replaceSubrange(1..<3, with: "") }
    expect("abcd", becomes: "abcdxy", delivering: .insertion(4..<6)) { $0.replaceSubrange(4..<4, with: "xy") }
    expect("abcd", becomes: "abcd", delivering: nil) { $0.replaceSubrange(2..<2, with: "") }
    let all = Delta(removals: [0..<4], insertions: [0..<7])
    expect("abcd", becomes: "tuvwxyz", delivering: all) { $0.replaceSubrange(0..<4, with: "tuvwxyz") }
    // The node does not search for elements that are equal before and after.
    let same = Delta(removals: [0..<1], insertions: [0..<1])
    expect("a", becomes: "a", delivering: same) { $0.replaceSubrange(0..<1, with: "a") }
  }

  /// A node is a collection, so its former contents can be inserted in the node itself.
  @Test func aNodeIsInsertedInItself() {
    expect("abc", becomes: "aabcbc", delivering: .insertion(1..<4)) { $0.insert(contentsOf: $0, at: 1) }
    expect("abc", becomes: "abcabc", delivering: .insertion(3..<6)) { $0.append(contentsOf: $0) }
    let replaced = Delta(removals: [0..<2], insertions: [0..<3])
    expect("abc", becomes: "cbac", delivering: replaced) { $0.replaceSubrange(0..<2, with: $0.reversed()) }
    expect("abc", becomes: "aAbBcC", delivering: Delta(insertions: [1..<2, 3..<4, 5..<6])) { node in
      node.replaceAll(with: node.lazy.flatMap { [$0, Character($0.uppercased())] })
    }
    // Lazily computed elements read the former contents of the node.
    expect("abc", becomes: "a333bc", delivering: .insertion(1..<4)) { node in
      node.insert(contentsOf: (0..<3).lazy.map { _ in Character("\(node.count)") }, at: 1)
    }
  }

  @Test func computedElementsMayEditTheNode() async {
    let node = ArrayNode([1, 2, 3])
    var received: [Delta] = []
    let token = node.observe { received.append($0.delta) }
    node.replaceAll(with: [0].lazy.map { _ in node.removeLast() }, id: { $0 }, areEqual: ==)
    #expect(node.elements == [3])
    #expect(received == [.removal(2..<3), Delta(removals: [0..<2], insertions: [0..<1])])
    token.cancel()
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let node = ArrayNode([1, 2, 3])
      node.replaceSubrange(2..<3, with: [0].lazy.map { _ in node.removeLast() })
    }
    TestSupport.expect(result, says: "ArrayNode: the range 2..<3 is out of range 0..<2.")
  }

  // MARK: Moves and updates

  @Test func moves() {
    expect("abcd", becomes: "bcad", delivering: .move(0..<1, to: 2)) { $0.move(from: 0, to: 2) }
    expect("abcd", becomes: "dabc", delivering: .move(3..<4, to: 0)) { $0.move(from: 3, to: 0) }
    expect("abcd", becomes: "bcda", delivering: .move(0..<1, to: 3)) { $0.move(from: 0, to: 3) }
    expect("abcd", becomes: "abcd", delivering: nil) { $0.move(from: 3, to: 3) }
    for (small, chunk) in Self.capacities {
      for source in 0..<6 {
        for destination in 0..<6 {
          let node = ArrayNode(0..<6, small: small, chunk: chunk)
          var copy = Array(0..<6)
          let token = node.observe { change in copy = change.delta.applying(to: copy) { _ in -1 } }
          node.move(from: source, to: destination)
          var model = Array(0..<6)
          model.insert(model.remove(at: source), at: destination)
          #expect(node.elements == model && copy == model)
          token.cancel()
        }
      }
    }
  }

  @Test func exchanges() {
    let ends = Delta(moves: [Delta.Move(from: 0..<1, to: 3..<4), Delta.Move(from: 3..<4, to: 0..<1)])
    expect("abcd", becomes: "dbca", delivering: ends) { $0.swapAt(0, 3) }
    expect("abcd", becomes: "dbca", delivering: ends) { $0.swapAt(3, 0) }
    expect("abcd", becomes: "abdc", delivering: .move(2..<3, to: 3)) { $0.swapAt(2, 3) }
    expect("abcd", becomes: "abcd", delivering: nil) { $0.swapAt(1, 1) }
    for first in 0..<5 {
      for second in 0..<5 {
        var model = Array("abcde")
        model.swapAt(first, second)
        let node = ArrayNode("abcde", small: 1, chunk: 2)
        node.swapAt(first, second)
        #expect(node.elements == model)
      }
    }
  }

  @Test func updates() {
    expect("abc", becomes: "axc", delivering: .update(1..<2)) { $0[1] = "x" }
    expect("abc", becomes: "abx", delivering: .update(2..<3)) { $0.replace(at: 2, with: "x") }
    // A set element is updated, even if its value is equal.
    expect("abc", becomes: "abc", delivering: .update(0..<1)) { $0[0] = "a" }
    expect("abc", becomes: "abc", delivering: .update(1..<2)) { $0.update(at: 1) }
    expect("abc", becomes: "aXc", delivering: .update(1..<2)) { node in
      node.update(at: 1) {
        $0 = "X"
        #expect(node[1] == "b", "a body that reads the node finds the former value")
      }
    }
  }

  @Test func anObjectThatStandsInManyPlacesIsUpdatedAtOnce() throws {
    struct Stop: Error {}
    let node = ArrayNode([1, 2, 1, 1, 3])
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    let undo = UndoLog(of: node)
    node.update { $0 == 1 }
    let updates = ChangeSet(Delta(updates: [0..<1, 2..<4]))
    #expect(received == [updates])
    node.update { $0 == 7 }
    #expect(throws: Stop.self) {
      try node.update { element throws(Stop) in
        if element == 3 { throw Stop() }
        return true
      }
    }
    #expect(throws: Stop.self) {
      try node.performUpdates {
        node.update { $0 == 1 }
        throw Stop()
      }
    }
    #expect(received == [updates])
    undo.undo()
    #expect(received == [updates, updates] && node.elements == [1, 2, 1, 1, 3])
    token.cancel()
  }

  @Test func anUpdateThatThrowsLeavesAllAsItWas() {
    expect("abc", becomes: "abc", delivering: nil) { node in
      #expect(throws: Stop.self) {
        try node.update(at: 1) { (element: inout Character) throws(Stop) in
          element = "X"
          throw Stop()
        }
      }
    }
  }

  // MARK: Replacing all

  @Test func replacementOfAllKeepsWhatBothHave() {
    let exchange = Delta(removals: [1..<2], insertions: [1..<2])
    expect("abc", becomes: "axc", delivering: exchange) { $0.replaceAll(with: "axc") }
    expect("abc", becomes: "abc", delivering: nil) { $0.replaceAll(with: "abc") }
    expect("abc", becomes: "", delivering: .removal(0..<3)) { $0.replaceAll(with: "") }
    expect("", becomes: "abc", delivering: .insertion(0..<3)) { $0.replaceAll(with: "abc") }
    expect("abcd", becomes: "dabc", delivering: .move(3..<4, to: 0)) { $0.replaceAll(with: "dabc") }
  }

  @Test func replacementOfAllMatchesDuplicatesInOrder() {
    expect("aab", becomes: "aba", delivering: .move(2..<3, to: 1)) { $0.replaceAll(with: "aba") }
    expect("aaa", becomes: "aa", delivering: .removal(2..<3)) { $0.replaceAll(with: "aa") }
    expect("aa", becomes: "aaaa", delivering: .insertion(2..<4)) { $0.replaceAll(with: "aaaa") }
  }

  @Test func replacementOfAllByIdentityReportsUpdates() {
    // The letter is the identity, in upper or lower case.
    expect("abc", becomes: "aBc", delivering: .update(1..<2)) { node in
      node.replaceAll(with: "aBc", id: { $0.lowercased() })
    }
    let delta = Delta(
      removals: [0..<1], insertions: [2..<3], updates: [0..<1], moves: [Delta.Move(from: 2..<3, to: 0..<1)])
    expect("abc", becomes: "Cbd", delivering: delta) { node in
      node.replaceAll(with: "Cbd", id: { $0.lowercased() }, areEqual: ==)
    }
    let duplicates = Delta(removals: [2..<3], updates: [0..<2])
    expect("aAa", becomes: "Aa", delivering: duplicates) { node in
      node.replaceAll(with: "Aa", id: { $0.lowercased() }, areEqual: ==)
    }
  }

  @Test func everyShortReplacementOfAllIsFollowed() {
    let words = Exhaustive.vectors(over: [1, 2, 3], upTo: 3)
    for before in words {
      for after in words {
        let node = ArrayNode(before, small: 1, chunk: 2)
        var copy = before
        var deliveries = 0
        let token = node.observe { change in
          deliveries += 1
          copy = change.delta.applying(to: copy) { after[$0] }
        }
        node.replaceAll(with: after)
        #expect(copy == after && node.elements == after && deliveries == (before == after ? 0 : 1))
        token.cancel()
      }
    }
  }

  // MARK: A collection

  @Test func itIsACollection() {
    for (small, chunk) in Self.capacities {
      let node = ArrayNode("abcdef", small: small, chunk: chunk)
      #expect(node.startIndex == 0 && node.endIndex == 6 && node.indices == 0..<6)
      #expect(Array(node) == Array("abcdef") && Array(node.reversed()) == Array("fedcba"))
      #expect(String(node[2..<4]) == "cd")
      #expect(node.first == "a" && node.last == "f" && node.firstIndex(of: "c") == 2)
      #expect(node.map { $0 } == node.elements && node.contains("e") && !node.contains("x"))
      #expect(node.index(1, offsetBy: 3) == 4 && node.distance(from: 5, to: 1) == -4)
      #expect(node.index(4, offsetBy: 3, limitedBy: node.endIndex) == nil)
      #expect(node.sorted(by: >) == Array("fedcba"))
      #expect(zip(node, node.dropFirst()).map { "\($0)\($1)" } == ["ab", "bc", "cd", "de", "ef"])
    }
    let empty = ArrayNode<Int>()
    #expect(empty.isEmpty && empty.first == nil && Array(empty).isEmpty)
  }

  @Test func itIsALeafSource() {
    let node = ArrayNode(["a"])
    #expect(node.value == nil && node.child(at: 0) == nil)
    #expect(node.element(at: 0) == "a" && node.element(at: 1) == nil && node.element(at: -1) == nil)
    #expect(node.writer === node)
    #expect("\(node)" == #"ArrayNode ["a"]"#)
  }

  /// A reader of spans may change the node. The piece that the reader holds is unchanged.
  @Test func aSpanOutlivesAChangeOfTheNode() {
    for (small, chunk) in Self.capacities {
      let node = ArrayNode(0..<9, small: small, chunk: chunk)
      var seen: [Int] = []
      node.forEachSpan(in: 0..<9) { start, span in
        if start == 0 { node.removeAll() }
        for index in span.indices { seen.append(span[index]) }
      }
      #expect(seen == Array(0..<9) && node.isEmpty)
    }
  }

  @Test func valuesThatAreOptionalStayApartFromNoValue() {
    let node = ArrayNode<Int?>([1, nil])
    #expect(node.element(at: 1) == .some(nil) && node.element(at: 2) == nil)
    node[0] = nil
    #expect(node.elements == [nil, nil] && node.count == 2)
  }

  // MARK: Large nodes

  @Test func aLargeNodeInsertsInTheMiddle() {
    let node = ArrayNode(0..<100_000)
    var received: [Delta] = []
    let token = node.observe { received.append($0.delta) }
    for step in 0..<2_000 { node.insert(-step, at: 50_000 + step) }
    #expect(node.count == 102_000)
    #expect(node[49_999] == 49_999 && node[50_000] == 0 && node[51_999] == -1_999 && node[52_000] == 50_000)
    #expect(node[101_999] == 99_999)
    node.removeSubrange(50_000..<52_000)
    #expect(node.elements == Array(0..<100_000))
    #expect(received.count == 2_001 && received.last == .removal(50_000..<52_000))
    node.removeSubrange(10..<99_990)
    #expect(node.elements == Array(0..<10) + Array(99_990..<100_000))
    token.cancel()
  }

  // MARK: Elements that use the node when they are released

  /// An element whose release reads and changes the node that held it.
  private final class Reentrant {
    let onRelease: () -> Void
    init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  @Test func elementsMayUseTheNodeWhileTheyAreReleased() {
    let edits: [(String, (ArrayNode<Reentrant>) -> Void)] = [
      ("remove", { $0.remove(at: 1) }),
      ("removeSubrange", { $0.removeSubrange(1..<3) }),
      ("removeAll", { $0.removeAll() }),
      (
        "removeAll(where:)",
        { node in
          var number = 0
          node.removeAll { _ in
            number += 1
            return number % 2 == 0
          }
        }
      ),
      ("replaceSubrange", { $0.replaceSubrange(1..<2, with: [Reentrant {}]) }),
      ("replace", { $0.replace(at: 1, with: Reentrant {}) }),
      ("update", { $0.update(at: 1) { $0 = Reentrant {} } }),
      ("replaceAll", { $0.replaceAll(with: [Reentrant {}], id: { ObjectIdentifier($0) }, areEqual: ===) }),
    ]
    for (name, edit) in edits {
      for (small, chunk) in Self.capacities {
        let node = ArrayNode<Reentrant>([], small: small, chunk: chunk)
        var releases = 0
        var counts: [Int] = []
        let token = node.observe { _ in counts.append(node.count) }
        for _ in 0..<5 {
          node.append(
            Reentrant { [unowned node] in
              releases += 1
              // The node is complete: every element can be read, and the node can grow.
              #expect(node.elements.count == node.count, "\(name)")
              if releases == 1 { node.append(Reentrant {}) }
            })
        }
        let deliveries = counts.count
        edit(node)
        #expect(releases > 0, "\(name)")
        #expect(counts.count == deliveries + 2, "\(name): its own delivery, and that of the append")
        #expect(counts.last == node.count, "\(name)")
        token.cancel()
        releases = 1
        node.removeAll()
      }
    }
  }

  @Test func removedElementsAreReleasedAfterTheDelivery() throws {
    try withLifetimeTracking { tracker in
      let node = ArrayNode(tracker.track(0..<4), small: 0, chunk: 2)
      var live: [Int] = []
      let token = node.observe { _ in live.append(tracker.liveCount) }
      node.remove(at: 0)
      node.removeSubrange(0..<2)
      node.replace(at: 0, with: tracker.track(9))
      #expect(live == [4, 3, 2])
      #expect(tracker.liveCount == 1)
      token.cancel()
    }
  }
}
