import Foundation
import Synchronization

/// The decompositions and the foldings of 256 scalars.
///
/// A page is made when a text has one of its scalars for the first time, and never changes: all threads read it without
/// a lock. The decomposition of each scalar is Foundation's; its case and its class are the standard library's.
final class FoldingPage: Sendable {
  /// A scalar and its combining class; class 0 is no mark.
  struct Mark {
    let scalar: Unicode.Scalar
    let rank: UInt8
  }

  private struct Entry {
    /// Where the decomposition is in `decompositions`.
    var decomposition = 0..<0
    /// Where the UTF-8 of the folded scalar is in `bytes`.
    var folded = 0..<0
  }

  /// The scalars from 256 · `number` on.
  let number: Int
  private let entries: [Entry]
  private let decompositions: [Mark]
  private let bytes: [UInt8]

  private init(number: Int) {
    var entries: [Entry] = []
    var decompositions: [Mark] = []
    var bytes: [UInt8] = []
    for offset in 0..<256 {
      var entry = Entry()
      // A variation selector, which only says how a character is drawn, is folded to nothing.
      if let scalar = Unicode.Scalar(UInt32(number << 8 | offset)), !scalar.properties.isVariationSelector {
        let starts = (decompositions.count, bytes.count)
        for part in String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars {
          decompositions.append(Mark(scalar: part, rank: part.properties.canonicalCombiningClass.rawValue))
        }
        for part in Self.folded(scalar).decomposedStringWithCanonicalMapping.unicodeScalars {
          bytes.append(contentsOf: UTF8.encode(part)!)
        }
        entry = Entry(decomposition: starts.0..<decompositions.count, folded: starts.1..<bytes.count)
      }
      entries.append(entry)
    }
    self.number = number
    self.entries = entries
    self.decompositions = decompositions
    self.bytes = bytes
  }

  /// The canonical decomposition of a scalar of this page.
  func decomposition(of scalar: Unicode.Scalar) -> ArraySlice<Mark> {
    decompositions[entries[Int(scalar.value & 0xFF)].decomposition]
  }

  /// The UTF-8 of the folding of a scalar of this page.
  func folded(_ scalar: Unicode.Scalar) -> ArraySlice<UInt8> {
    bytes[entries[Int(scalar.value & 0xFF)].folded]
  }

  /// The full case folding of a scalar: lower case of upper case, of lower case for the sake of `ẞ`, whose upper case
  /// is itself.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    // The dotless i, whose upper case is that of another letter.
    if scalar == "\u{131}" { return String(scalar) }
    var result = ""
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars { result += upper.properties.lowercaseMapping }
    }
    return result
  }

  // MARK: The pages of the process

  /// Where a page will be. Two threads may make the same page at once; then the first one is taken by both.
  private final class Place: Sendable {
    let page = AtomicLazyReference<FoldingPage>()
  }

  private static let places = (0..<0x1100).map { _ in Place() }

  /// The scalars from 256 · `number` on.
  static func shared(_ number: Int) -> FoldingPage {
    let place = places[number]
    return place.page.load() ?? place.page.storeIfNil(FoldingPage(number: number))
  }
}
