/// Runs `body` with a tracker and checks that everything that it tracked was released by the end.
///
///     try withLifetimeTracking { tracker in
///       let node = ArrayNode(tracker.track(0..<10))
///       node.remove(at: 3)
///       #expect(tracker.liveCount == 9)
///     }   // throws if a tracked element outlives the closure
///
/// - Parameter body: makes tracked elements, of which none may escape.
/// - Returns: the result of `body`.
/// - Throws: the error of `body`, else `LeakedElements`.
public func withLifetimeTracking<Result>(_ body: (LifetimeTracker) throws -> Result) throws -> Result {
  let tracker = LifetimeTracker()
  let result = try body(tracker)
  try tracker.check()
  return result
}

/// Counts the living elements of one test.
///
/// One tracker belongs to one thread: it has no lock.
public final class LifetimeTracker {
  private var live: [Int: String] = [:]
  private var next = 0

  /// Creates a tracker of nothing.
  public init() {}

  /// The number of tracked elements that are alive.
  public var liveCount: Int { live.count }

  /// The number of elements tracked so far, released ones included.
  public var totalCount: Int { next }

  /// Returns a tracked element that carries `payload`.
  public func track<Payload>(_ payload: Payload) -> Tracked<Payload> {
    let serial = next
    next += 1
    live[serial] = String(describing: payload)
    return Tracked(payload, serial: serial, tracker: self)
  }

  /// Returns tracked elements that carry `payloads`.
  public func track<Payload>(_ payloads: some Sequence<Payload>) -> [Tracked<Payload>] {
    payloads.map { track($0) }
  }

  /// Tracks an object of another kind, for example a node or an observation, by a weak reference.
  ///
  /// - Parameters:
  ///   - object: the object that must be released before the tracker's check.
  ///   - name: the name by which a leak is reported.
  public func expectRelease(of object: AnyObject, _ name: String) {
    watched.append(Watched(object: object, name: name))
  }

  /// Throws where a tracked element or a watched object is alive.
  ///
  /// - Throws: `LeakedElements`.
  public func check() throws {
    let elements = live.sorted { $0.key < $1.key }.map { "element \($0.value)" }
    let objects = watched.filter { $0.object != nil }.map(\.name)
    let leaks = elements + objects
    guard leaks.isEmpty else {
      let shown = leaks.prefix(10).joined(separator: ", ") + (leaks.count > 10 ? ", …" : "")
      throw LeakedElements(count: leaks.count, description: "\(leaks.count) alive: \(shown)")
    }
  }

  private struct Watched {
    weak let object: AnyObject?
    let name: String
  }

  private var watched: [Watched] = []

  fileprivate func release(_ serial: Int) {
    precondition(live.removeValue(forKey: serial) != nil, "element \(serial) was released twice")
  }
}

/// An element whose release is counted.
///
/// It is equal, ordered and hashed as its payload.
public final class Tracked<Payload>: CustomStringConvertible {
  /// The value carried.
  public let payload: Payload
  /// The element's number in its tracker, in order of creation.
  public let serial: Int
  private let tracker: LifetimeTracker

  fileprivate init(_ payload: Payload, serial: Int, tracker: LifetimeTracker) {
    self.payload = payload
    self.serial = serial
    self.tracker = tracker
  }

  deinit { tracker.release(serial) }

  /// The payload's description.
  public var description: String { String(describing: payload) }
}

extension Tracked: Equatable where Payload: Equatable {
  /// Returns whether the payloads are equal.
  public static func == (left: Tracked, right: Tracked) -> Bool { left.payload == right.payload }
}

extension Tracked: Hashable where Payload: Hashable {
  /// Hashes the payload.
  public func hash(into hasher: inout Hasher) { hasher.combine(payload) }
}

extension Tracked: Comparable where Payload: Comparable {
  /// Returns whether the left payload is less.
  public static func < (left: Tracked, right: Tracked) -> Bool { left.payload < right.payload }
}

/// Reports the tracked elements that outlived their test.
public struct LeakedElements: Error, CustomStringConvertible {
  /// The number of elements and objects that are alive.
  public let count: Int
  /// The number of living elements and objects, and the first ten of them.
  public let description: String
}
