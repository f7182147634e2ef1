import Foundation
import Synchronization

/// What single scalars are decomposed and folded to, found out where it is first asked.
///
/// Text that is not ASCII is folded by way of its canonical decomposition, because the order of marks counts in that:
/// the iota below a letter is a mark there, and a letter when it is folded.
///
///     "ᾴ"  →  α  ́ (class 230)  ͅ (class 240)     decomposed, marks in the order of their classes
///           →  α  ́  ι                            folded, each scalar alone
///
/// Hangul is decomposed by arithmetic (The Unicode Standard, section 3.12); of everything else Foundation tells the
/// decomposition, and the standard library case and class.
struct ScalarFoldings {
  /// One table for the process: what it tells never changes.
  private static let shared = Mutex(ScalarFoldings())

  /// Appends the UTF-8 of a folded text.
  ///
  /// - Complexity: O(n) for n scalars, and O(m · log m) for m marks that follow one another.
  static func fold(_ text: String, _ marks: TextFolding.Marks, into target: inout [UInt8]) {
    shared.withLock { $0.fold(text.unicodeScalars, marks, into: &target) }
  }

  private struct Entry {
    /// Where the decomposition is in `decompositions`.
    var decomposition: Int32 = 0
    var decompositionCount: Int32 = 0
    /// Where the UTF-8 of the folded scalar is in `bytes`.
    var folded: Int32 = 0
    var foldedCount: Int32 = 0
  }

  /// The entries of 256 scalars each; empty where none has been asked for.
  private var pages = [[Entry]](repeating: [], count: 0x1100)
  private var decompositions: [Mark] = []
  private var bytes: [UInt8] = []
  /// The marks since the last scalar that is none.
  private var waiting: [Mark] = []

  /// A scalar and its combining class; class 0 is no mark.
  private struct Mark {
    let scalar: Unicode.Scalar
    let rank: UInt8
  }

  private mutating func fold(
    _ text: String.UnicodeScalarView, _ marks: TextFolding.Marks, into target: inout [UInt8]
  ) {
    for scalar in text {
      if scalar.value < 0x80 {
        release(marks, into: &target)
        target.append(UInt8(scalar.value) &+ (scalar.value &- 65 < 26 ? 32 : 0))
      } else if 0xAC00...0xD7A3 ~= scalar.value {
        release(marks, into: &target)
        appendSyllable(Int(scalar.value) - 0xAC00, into: &target)
      } else {
        let entry = entry(scalar)
        for index in entry.decomposition..<entry.decomposition + entry.decompositionCount {
          let part = decompositions[Int(index)]
          if part.rank > 0 {
            waiting.append(part)
          } else {
            release(marks, into: &target)
            append(part.scalar, into: &target)
          }
        }
      }
    }
    release(marks, into: &target)
  }

  /// Appends the marks that wait, in the order of their classes.
  private mutating func release(_ marks: TextFolding.Marks, into target: inout [UInt8]) {
    if waiting.isEmpty { return }
    // Marks of one class keep their order; the library's sort does that, without promising it.
    let sorted =
      waiting.count == 1
      ? waiting : waiting.enumerated().sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }.map(\.element)
    waiting.removeAll(keepingCapacity: true)
    for mark in sorted where marks == .kept || 7...9 ~= mark.rank { append(mark.scalar, into: &target) }
  }

  private mutating func append(_ scalar: Unicode.Scalar, into target: inout [UInt8]) {
    let entry = entry(scalar)
    target.append(contentsOf: bytes[Int(entry.folded)..<Int(entry.folded + entry.foldedCount)])
  }

  private func appendSyllable(_ number: Int, into target: inout [UInt8]) {
    let parts = [0x1100 + number / 588, 0x1161 + number % 588 / 28, 0x11A7 + number % 28]
    for part in parts where part != 0x11A7 {
      target.append(contentsOf: UTF8.encode(Unicode.Scalar(UInt32(part))!)!)
    }
  }

  // MARK: Making entries

  private mutating func entry(_ scalar: Unicode.Scalar) -> Entry {
    let page = Int(scalar.value >> 8)
    if pages[page].isEmpty { makePage(page) }
    return pages[page][Int(scalar.value & 0xFF)]
  }

  private mutating func makePage(_ page: Int) {
    pages[page] = (0..<256).map { offset in
      guard let scalar = Unicode.Scalar(UInt32(page << 8 | offset)) else { return Entry() }
      var entry = Entry(decomposition: Int32(decompositions.count), folded: Int32(bytes.count))
      for part in String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars {
        decompositions.append(Mark(scalar: part, rank: part.properties.canonicalCombiningClass.rawValue))
      }
      for part in Self.folded(scalar).decomposedStringWithCanonicalMapping.unicodeScalars {
        bytes.append(contentsOf: UTF8.encode(part)!)
      }
      entry.decompositionCount = Int32(decompositions.count) - entry.decomposition
      entry.foldedCount = Int32(bytes.count) - entry.folded
      return entry
    }
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
}
