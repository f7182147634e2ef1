import Foundation

/// Reads the settings of random scripts from the environment: their number in a test, their length, and their seed.
///
/// - `ASSEMBLAGE_SEED`: the seed; a fresh random one where it is not set.
/// - `ASSEMBLAGE_ITERATIONS`: scripts a test, but never more than usual outside a soak.
/// - `ASSEMBLAGE_LENGTH`: operations a script.
/// - `ASSEMBLAGE_SOAK=1`: multiplies the default number of scripts by 20; see `isSoak`.
///
/// The seed is printed when it is first read, so that a failure can be repeated. A value that is no number ends the
/// run: otherwise a run with a misspelt seed would pass for a run with the wanted seed.
///
/// A debug build runs a third of the usual scripts, and checks no tally: `isResized` is true there. Run the tests in a
/// release build, too.
///
/// ```swift
/// // 100 scripts (33 in a debug build) of 20 insertions, the same ones for each ASSEMBLAGE_SEED:
/// for iteration in 0..<TestSeed.iterations(100) {
///   let friends = ArrayNode<String>()
///   var generator = TestSeed.generator("friends", iteration: iteration)
///   for _ in 0..<TestSeed.length(20) {
///     friends.insert("Al", at: Int.random(in: 0...friends.count, using: &generator))
///   }
/// }
/// ```
public enum TestSeed {
  /// The seed of this run.
  public static let seed: UInt64 = {
    let seed = number("ASSEMBLAGE_SEED", as: UInt64.self) ?? UInt64.random(in: 0...UInt64.max)
    print("ASSEMBLAGE_SEED=\(seed)")
    return seed
  }()

  /// Whether this run is a soak: many more scripts than usual, and much larger trees.
  public static let isSoak = ProcessInfo.processInfo.environment["ASSEMBLAGE_SOAK"] == "1"

  /// Whether the tests run fewer scripts and smaller cases than usual: in a debug build that is no soak.
  package static let isShortened: Bool = {
    #if DEBUG
      return !isSoak
    #else
      return false
    #endif
  }()

  /// Whether the scripts may be too few or too short to make every operation.
  ///
  /// This is so if the number of scripts or their length was set from outside, and in a debug build that is no soak.
  public static let isResized = givenIterations != nil || givenLength != nil || isShortened

  /// The number of scripts to run.
  ///
  /// A number that was set from outside counts, and otherwise `usual`. A debug build runs a third of `usual` instead,
  /// but at least 2. The result is never above `usual`. In a soak, no such limit applies: there, the default is 20
  /// times `usual`.
  public static func iterations(_ usual: Int) -> Int {
    if isSoak { return givenIterations ?? usual * 20 }
    return min(givenIterations ?? (isShortened ? max(usual / 3, 2) : usual), usual)
  }

  /// The number of operations in a script, by default `usual`.
  public static func length(_ usual: Int) -> Int { givenLength ?? usual }

  /// A generator for one script of one test, independent of the order in which tests run.
  ///
  /// - Parameters:
  ///   - test: a name that no other test uses.
  ///   - iteration: the script's number.
  /// - Returns: a generator whose numbers depend on the arguments and on the run's seed only.
  public static func generator(_ test: String, iteration: Int = 0) -> SeededGenerator {
    generator(test, iteration: iteration, seed: seed)
  }

  static func generator(_ test: String, iteration: Int, seed: UInt64) -> SeededGenerator {
    // FNV-1a, because `hashValue` differs from run to run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in test.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var mixer = SeededGenerator(seed: seed ^ hash)
    return SeededGenerator(seed: mixer.next() &+ UInt64(iteration))
  }

  private static let givenIterations = number("ASSEMBLAGE_ITERATIONS", as: Int.self)
  private static let givenLength = number("ASSEMBLAGE_LENGTH", as: Int.self)

  private static func number<Number: FixedWidthInteger>(_ name: String, as: Number.Type) -> Number? {
    guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
    guard let number = Number(text), number >= 0 else {
      preconditionFailure("\(name) is \"\(text)\", which is no number from 0 to \(Number.max)")
    }
    return number
  }
}
