import Foundation

/// The matches of a filter in a document.
///
/// Each name and value is checked once, and the visible values are counted.
struct JSONMatches {
  /// The numbers of visible values.
  struct Counts: Equatable {
    var scalars = 0
    var objects = 0
    var arrays = 0
  }

  /// A bit for each place on the tape.
  private var bits: [UInt64]
  private(set) var counts = Counts()

  /// An object, an array or a list of documents whose values are being checked.
  private struct Open {
    let index: Int
    let end: Int
    /// Whether the value is shown because the value itself or an ancestor matches.
    let isShown: Bool
    var hasMatches = false
  }

  /// Checks all values.
  ///
  /// - Complexity: O(n) for the bytes of the document.
  init(_ document: JSONDocument, _ filter: NameFilter) {
    var filter = filter
    let tape = document.tape
    let bytes = document.data.span
    bits = [UInt64](repeating: 0, count: tape.words.count / 64 + 1)
    var open: [Open] = []
    var index = 0
    while index < tape.words.count || !open.isEmpty {
      if let last = open.last, index == last.end {
        open.removeLast()
        guard last.isShown || last.hasMatches else { continue }
        count(document.kind(last.index))
        if !open.isEmpty { open[open.count - 1].hasMatches = true }
        continue
      }
      let kind = document.kind(index)
      let isScalar = kind != .object && kind != .array && kind != .sequence
      var matches = document.withKey(index, in: bytes) { filter.matches($0) } == true
      if !matches, isScalar { matches = document.withText(index, in: bytes) { filter.matches($0) } }
      if matches { bits[index / 64] |= 1 << UInt64(index % 64) }
      let isShown = matches || open.last?.isShown == true
      if tape.isBranch(index) {
        open.append(Open(index: index, end: tape.end(index), isShown: isShown))
        index = tape.first(index)
        continue
      }
      if isShown {
        count(kind)
        if !open.isEmpty { open[open.count - 1].hasMatches = true }
      }
      index += 1
    }
  }

  /// Whether the name or the text of the value at a place on the tape matches.
  func contains(_ index: Int) -> Bool { bits[index / 64] >> UInt64(index % 64) & 1 == 1 }

  private mutating func count(_ kind: JSONDocument.Kind) {
    switch kind {
    case .object: counts.objects += 1
    case .array: counts.arrays += 1
    case .sequence: break
    default: counts.scalars += 1
    }
  }
}
