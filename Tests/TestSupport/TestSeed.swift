import Foundation

/// A small, fast generator whose whole state is its seed (Steele, Lea & Flood's SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the generator that yields the same numbers for the same `seed`, on every platform.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// How many random scripts a test runs, how long each is, and from which seed: set by the environment.
///
/// - `ASSEMBLAGE_SEED`: the seed; a fresh random one where it is not set.
/// - `ASSEMBLAGE_ITERATIONS`: scripts a test; `ASSEMBLAGE_LENGTH`: operations a script.
/// - `ASSEMBLAGE_SOAK=1`: multiplies the default number of scripts by 20.
///
/// The seed is printed when it is first read, so that a failure can be run again.
public enum TestSeed {
  /// The seed of this run.
  public static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["ASSEMBLAGE_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("ASSEMBLAGE_SEED=\(seed)")
    return seed
  }()

  /// Whether this run is a soak: many more scripts than usual.
  public static let isSoak = ProcessInfo.processInfo.environment["ASSEMBLAGE_SOAK"] == "1"

  /// The number of scripts to run, by default `usual` (20 times as many in a soak).
  public static func iterations(_ usual: Int) -> Int {
    number("ASSEMBLAGE_ITERATIONS") ?? (isSoak ? usual * 20 : usual)
  }

  /// The number of operations in a script, by default `usual`.
  public static func length(_ usual: Int) -> Int { number("ASSEMBLAGE_LENGTH") ?? usual }

  /// A generator for one script of one test, independent of the order in which tests run.
  ///
  /// - Parameters:
  ///   - test: a name that no other test uses.
  ///   - iteration: the script's number.
  public static func generator(_ test: String, iteration: Int = 0) -> SeededGenerator {
    // FNV-1a, because `hashValue` differs from run to run.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in test.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var mixer = SeededGenerator(seed: seed ^ hash)
    return SeededGenerator(seed: mixer.next() &+ UInt64(iteration))
  }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
