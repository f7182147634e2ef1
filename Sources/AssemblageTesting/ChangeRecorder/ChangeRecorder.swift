public import Assemblage

/// Records the changes that a node delivers to its observers.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// let recorder = ChangeRecorder(of: friends)
/// friends.append("Cy")
/// friends.remove(at: 0)
/// recorder.recording.description   // "[+2]\n[-0]"
///
/// recorder.removeAll()
/// try recorder.expecting(["[~1]"]) { friends.replace(at: 1, with: "Di") }
/// ```
///
/// A recorder keeps the node alive. It records until it is released, or until `cancel()` is called.
public final class ChangeRecorder {
  /// The changes that were delivered since the recorder was made or emptied.
  public private(set) var recording = ChangeRecording()

  /// How many changes of the recording were expected.
  private var expectedCount = 0
  private var token: NodeObservation?

  /// Creates a recorder of a node's deliveries from now on.
  ///
  /// - Parameter node: the node to observe.
  public init(of node: any TreeNode) {
    token = node.observe { [unowned self] in recording.changes.append($0) }
  }

  /// Ends the observation; the recording stays.
  public func cancel() { token?.cancel() }

  /// Forgets all changes that were recorded so far.
  public func removeAll() {
    recording.changes.removeAll()
    expectedCount = 0
  }

  /// Makes changes, and checks that exactly these deliveries follow, in this order.
  ///
  /// Each difference is an error: more, fewer or other deliveries. Earlier deliveries that were not expected are an
  /// error too.
  ///
  /// - Parameters:
  ///   - texts: the deliveries, as `ChangeSet.recordedText` gives them.
  ///   - body: makes the changes.
  /// - Returns: the result of `body`.
  /// - Throws: `UnexpectedDeliveries`; `ChangeTextError` where a text is no change; the errors of `body`.
  @discardableResult
  public func expecting<Result>(_ texts: [String], _ body: () throws -> Result) throws -> Result {
    var expected: [ChangeSet] = []
    for text in texts { expected.append(try ChangeSet(recorded: text)) }
    return try expecting(changes: expected, body)
  }

  /// Makes changes, and checks that exactly these deliveries follow, in this order.
  ///
  /// - Parameters:
  ///   - changes: the deliveries.
  ///   - body: makes the changes.
  /// - Returns: the result of `body`.
  /// - Throws: `UnexpectedDeliveries`, and the errors of `body`.
  @discardableResult
  public func expecting<Result>(changes: [ChangeSet], _ body: () throws -> Result) throws -> Result {
    try checkNothingElse()
    let result = try body()
    let received = Array(recording.changes[expectedCount...])
    expectedCount = recording.count
    guard received == changes else {
      throw UnexpectedDeliveries(expected: ChangeRecording(changes), received: ChangeRecording(received))
    }
    return result
  }

  /// Checks that everything recorded was expected.
  ///
  /// - Throws: `UnexpectedDeliveries`, with the deliveries that were not expected.
  public func checkNothingElse() throws(UnexpectedDeliveries) {
    guard expectedCount == recording.count else {
      throw UnexpectedDeliveries(
        expected: ChangeRecording(), received: ChangeRecording(Array(recording.changes[expectedCount...])))
    }
  }
}

@available(*, unavailable)
extension ChangeRecorder: Sendable {}

/// Reports that the deliveries differ from the deliveries that a test expected.
///
/// ```swift
/// let friends = ArrayNode(["Al"])
/// let recorder = ChangeRecorder(of: friends)
/// do {
///   try recorder.expecting(["[+0]"]) { friends.append("Bo") }
/// } catch {
///   print(error)    // 1 delivery instead of 1; number 1 should be [+0] and is [+1]; received: …
/// }
/// ```
public struct UnexpectedDeliveries: Error, Hashable, Sendable, CustomStringConvertible {
  /// The changes that the test expected.
  public let expected: ChangeRecording

  /// The changes that were delivered.
  public let received: ChangeRecording

  /// The first wrong delivery, and all deliveries, as text that can be pasted into the test.
  public var description: String {
    let first = zip(expected, received).prefix { $0 == $1 }.count
    let numbers = "\(counted(received.count, "delivery", "deliveries")) instead of \(expected.count)"
    let wanted = first < expected.count ? expected[first].recordedText : "none"
    let found = first < received.count ? received[first].recordedText : "none"
    return "\(numbers); number \(first + 1) should be \(wanted) and is \(found); received:\n\(received)"
  }
}
