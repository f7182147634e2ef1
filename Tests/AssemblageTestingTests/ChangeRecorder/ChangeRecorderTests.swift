import Assemblage
import AssemblageTesting
import Testing

@Suite struct ChangeRecorderTests {
  @Test func theExamplesHold() throws {
    let friends = ArrayNode(["Al", "Bo"])
    let recorder = ChangeRecorder(of: friends)
    friends.append("Cy")
    friends.remove(at: 0)
    #expect(recorder.recording.description == "[+2]\n[-0]")
    recorder.removeAll()
    try recorder.expecting(["[~1]"]) { friends.replace(at: 1, with: "Di") }

    let recording = try ChangeRecording(
      """
      [+2]
      [-0, ~1]
      """)
    #expect(recording.changes == [ChangeSet(.insertion(2..<3)), ChangeSet(Delta(removals: [0..<1], updates: [1..<2]))])
    #expect(recording.netChange.description == "[-0, +1]")
  }

  @Test func whatIsNotExpectedFails() throws {
    let array = ArrayNode([1, 2])
    let recorder = ChangeRecorder(of: array)
    func fails(_ texts: [String], _ body: () -> Void) -> UnexpectedDeliveries? {
      #expect(throws: UnexpectedDeliveries.self) { try recorder.expecting(texts, body) }
    }
    #expect(
      fails([]) { array.append(3) }?.description
        == "1 delivery instead of 0; number 1 should be none and is [+2]; received:\n[+2]")
    #expect(
      fails(["[+3]", "[+4]"]) { array.append(4) }?.description
        == "1 delivery instead of 2; number 2 should be [+4] and is none; received:\n[+3]")
    #expect(
      fails(["[-0]", "[-1]"]) {
        array.removeLast()
        array.removeLast()
      }?.description == "2 deliveries instead of 2; number 1 should be [-0] and is [-3]; received:\n[-3]\n[-2]")
    // A delivery between two expectations is an error too.
    array.append(5)
    #expect(fails([]) {}?.received.description == "[+2]")
    #expect(throws: UnexpectedDeliveries.self) { try recorder.checkNothingElse() }
    recorder.removeAll()
    try recorder.checkNothingElse()
    #expect(try recorder.expecting(changes: [ChangeSet(.insertion(3..<4))]) { array.append(6) } == ())
    recorder.cancel()
    try recorder.expecting([]) { array.removeAll() }
    #expect(recorder.recording.count == 1)
  }

  @Test func whatTheBodyThrowsIsThrown() {
    struct Failure: Error {}
    let recorder = ChangeRecorder(of: ArrayNode([1]))
    #expect(throws: Failure.self) { try recorder.expecting([]) { throw Failure() } }
    #expect(throws: ChangeTextError.self) { try recorder.expecting(["+2"]) {} }
  }
}
