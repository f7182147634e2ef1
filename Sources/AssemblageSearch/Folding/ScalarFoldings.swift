/// Folds text that is not ASCII, scalar by scalar.
///
/// The text is first brought into canonical decomposition, because the order of marks counts there. The iota below a
/// letter is a mark in the decomposition, and becomes a letter when it is folded.
///
///     "ᾴ"  →  α  ́ (class 230)  ͅ (class 240)     decomposed, marks in the order of their classes
///           →  α  ́  ι                            folded, each scalar alone
///
/// Hangul is decomposed by arithmetic (The Unicode Standard, section 3.12). All other scalars are in a `FoldingPage`.
struct ScalarFoldings {
  /// Appends the UTF-8 of a folded text.
  ///
  /// - Complexity: O(n) for n scalars, and O(m · log m) for m marks that follow one another.
  static func fold(_ text: String, _ marks: TextFolding.Marks, into target: inout [UInt8]) {
    var foldings = ScalarFoldings()
    foldings.fold(text.unicodeScalars, marks, into: &target)
  }

  /// The page that was used last. A text has most of its scalars from one or two pages.
  private var page = FoldingPage.shared(0)
  /// The marks since the last scalar that is no mark.
  private var waiting: [FoldingPage.Mark] = []

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
        turn(to: scalar)
        let page = page
        for part in page.decomposition(of: scalar) {
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

  /// Appends the waiting marks, in the order of their classes.
  private mutating func release(_ marks: TextFolding.Marks, into target: inout [UInt8]) {
    if waiting.isEmpty { return }
    // Marks of one class keep their order. The standard library's sort keeps it, but does not promise that.
    let sorted =
      waiting.count == 1
      ? waiting : waiting.enumerated().sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }.map(\.element)
    waiting.removeAll(keepingCapacity: true)
    for mark in sorted where marks == .kept || 7...9 ~= mark.rank { append(mark.scalar, into: &target) }
  }

  private mutating func append(_ scalar: Unicode.Scalar, into target: inout [UInt8]) {
    turn(to: scalar)
    target.append(contentsOf: page.folded(scalar))
  }

  private func appendSyllable(_ number: Int, into target: inout [UInt8]) {
    let parts = [0x1100 + number / 588, 0x1161 + number % 588 / 28, 0x11A7 + number % 28]
    for part in parts where part != 0x11A7 {
      target.append(contentsOf: UTF8.encode(Unicode.Scalar(UInt32(part))!)!)
    }
  }

  private mutating func turn(to scalar: Unicode.Scalar) {
    let number = Int(scalar.value >> 8)
    if page.number != number { page = FoldingPage.shared(number) }
  }
}
