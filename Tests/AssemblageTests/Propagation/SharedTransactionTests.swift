@testable import Assemblage
import Foundation
import Testing

/// Transactions over nodes that are not connected.
@Suite struct SharedTransactionTests {
  private struct Refusal: Error {}
  private let names = ArrayNode(["Ada"])
  private let years = ArrayNode([1815])

  private func log<Element>(_ node: any TreeNode<Element>, _ name: String, _ log: Log) -> NodeObservation {
    node.observe { log.lines.append("\(name) \($0.delta)") }
  }

  private final class Log { var lines: [String] = [] }

  @Test func observersHearOnceInTheOrderOfRegistration() {
    let received = Log()
    let tokens = [log(years, "years", received), log(names, "names", received), log(years, "again", received)]
    let result = performUpdates(on: [names, years]) {
      names.append("Grace")
      years.append(1906)
      names.append("Edsger")
      #expect(received.lines.isEmpty && years.count == 2)
      return 7
    }
    #expect(result == 7 && received.lines == ["years [+1]", "names [+1..<3]", "again [+1]"])
    for token in tokens { token.cancel() }
  }

  @Test func aThrowingBodyLeavesNoTrace() {
    let received = Log()
    let tokens = [log(years, "years", received), log(names, "names", received)]
    #expect(throws: Refusal.self) {
      try performUpdates(on: [names, years]) {
        years[0] = 0
        names.removeAll()
        years.append(1)
        throw Refusal()
      }
    }
    #expect(names.elements == ["Ada"] && years.elements == [1815] && received.lines.isEmpty)
    for token in tokens { token.cancel() }
  }

  @Test func anInnerOneTakesItsPartBack() {
    let received = Log()
    let tokens = [log(years, "years", received), log(names, "names", received)]
    names.performUpdates {
      names.append("Grace")
      try? performUpdates(on: [years, names]) { () throws(Refusal) in
        years.append(1906)
        names.append("Edsger")
        throw Refusal()
      }
      years.append(1930)
    }
    #expect(names.elements == ["Ada", "Grace"] && years.elements == [1815, 1930])
    #expect(received.lines == ["years [+1]", "names [+1]"])
    for token in tokens { token.cancel() }
  }

  @Test func anOuterOneTakesInnerOnesBack() {
    let received = Log()
    let tokens = [log(years, "years", received), log(names, "names", received)]
    try? performUpdates(on: [names, years]) { () throws(Refusal) in
      names.performUpdates { names.append("Grace") }
      years.performUpdates { years.append(1906) }
      throw Refusal()
    }
    #expect(names.count == 1 && years.count == 1 && received.lines.isEmpty)
    for token in tokens { token.cancel() }
  }

  @Test(arguments: [false, true]) func nodesAreLinkedInside(_ refuses: Bool) {
    let received = Log()
    let numbers = ArrayNode([1])
    let join = JoinNode([years])
    let tokens = [log(join, "join", received), log(numbers, "numbers", received)]
    try? performUpdates(on: [join, numbers]) { () throws(Refusal) in
      numbers.append(2)
      join.insertMember(numbers, at: 1)
      numbers.append(3)
      if refuses { throw Refusal() }
    }
    #expect(join.elements == (refuses ? [1815] : [1815, 1, 2, 3]))
    #expect(numbers.elements == (refuses ? [1] : [1, 2, 3]))
    #expect(received.lines == (refuses ? [] : ["join [+1..<4]", "numbers [+1..<3]"]))
    for token in tokens { token.cancel() }
  }

  @Test func connectedNodesAndNoneAreFine() {
    let received = Log()
    let filter = FilterNode(years) { $0 > 0 }
    let token = log(filter, "filter", received)
    performUpdates(on: [filter, years, years]) {
      years.append(1906)
      years.append(-1)
    }
    #expect(received.lines == ["filter [+1]"])
    #expect(performUpdates(on: []) { years.count } == 3)
    token.cancel()
  }

  @Test func anUndoLogTakesItForOneStep() {
    let log = UndoLog(of: names)
    let other = UndoLog(of: years)
    performUpdates(on: [names, years]) {
      names.append("Grace")
      years.append(1906)
      names.append("Edsger")
    }
    #expect(log.undoCount == 1 && other.undoCount == 1)
    #expect(log.undo() && names.elements == ["Ada"] && years.elements == [1815, 1906])
    #expect(other.undo() && years.elements == [1815])
  }

  /// Graphs count their transactions. A merged graph must not reach a number that a node remembers from before.
  @Test func aLaterTransactionIsNotTakenForAnEarlierOne() {
    let received = Log()
    let filter = FilterNode(years) { $0 > 0 }
    let token = log(filter, "filter", received)
    years.performUpdates { years[0] = -1 }
    performUpdates(on: [names, years]) { years[0] = 1 }
    #expect(received.lines == ["filter [-0]", "filter [+0]"])
    token.cancel()
  }
}
