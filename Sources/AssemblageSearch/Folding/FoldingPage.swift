import Foundation
import Synchronization

/// The decompositions and the foldings of 256 scalars.
///
/// A page is made when a text has one of its scalars for the first time, and never changes. So all threads read the
/// page without a lock. The decomposition of each scalar is from Foundation. Its case and its class are from the
/// standard library.
final class FoldingPage: Sendable {
  /// A scalar and its combining class. A scalar of class 0 is no mark.
  struct Mark {
    let scalar: Unicode.Scalar
    let rank: UInt8
  }

  private struct Entry {
    /// The range of the decomposition in `decompositions`.
    var decomposition = 0..<0
    /// The range of the folded scalar's UTF-8 in `bytes`.
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
      // A variation selector only affects the drawing of a character. Its folding is empty.
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

  /// The full case folding of a scalar: the lower case of the upper case of the lower case. The first lower case is
  /// needed for `ẞ`, whose upper case is itself.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    // The dotless i is left as it is, because its upper case is the upper case of another letter.
    if scalar == "\u{131}" { return String(scalar) }
    var result = ""
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars { result += upper.properties.lowercaseMapping }
    }
    return result
  }

  // MARK: The pages of the process

  /// The place of a page. Two threads may make the same page at once. Then both use the page that was stored first.
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
