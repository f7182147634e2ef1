/// The rule that makes texts comparable, so that texts of the same meaning are equal. Case and form do not count, and
/// marks count only if wanted.
///
/// ```swift
/// TextFolding.standard.folded("Straße") == "strasse"                             // true
/// TextFolding.standard.folded("ΟΔΟΣ") == TextFolding.standard.folded("οδος")     // true
/// TextFolding.standard.folded("Résumé") == "resume"                              // false
/// TextFolding(marks: .ignored).folded("Résumé") == "resume"                      // true
/// ```
///
/// Two texts are folded to the same scalars exactly if they are a canonical caseless match of each other (The Unicode
/// Standard, section 3.13, definition D145). This is full case folding in canonical decomposition. So `ß` is `ss`, the
/// ligature `ﬁ` is `fi`, the final `ς` is `σ`, and `é` is the same in one scalar and in two. The folding does not
/// depend on a language: `İ` is an `i` with a dot above, and the dotless `ı` is a letter of its own, as in Unicode's
/// tables without the Turkic exceptions. Compatibility forms stay different: `①` is not `1`. Variation selectors only
/// affect the drawing of a character, and are left out before: `❤` is the same with and without one.
///
/// If marks are ignored, the marks above, below and through a letter are left out, and also the points of Hebrew and
/// Arabic. Marks that make another letter stay: the voicing of kana, and the nukta and the virama of Indic scripts
/// (combining classes 7, 8 and 9).
///
/// - Complexity: folding ASCII takes about as long as a copy. Other scalars need a look-up in a table. Each process
///   makes the table when it is needed, for 256 scalars at a time.
public struct TextFolding: Hashable, Sendable {
  /// Whether combining marks count.
  ///
  /// ```swift
  /// TextQuery.prefix("e", folding: TextFolding(marks: .ignored)).matches("Éva")     // true
  /// ```
  public enum Marks: Hashable, Sendable, CaseIterable {
    /// Marks count: `e` is not `é`.
    case kept
    /// Marks do not count: `e` and `é` are the same.
    case ignored
  }

  /// Whether combining marks count.
  public let marks: Marks

  /// The standard folding: case and form do not count, and marks count.
  public static var standard: TextFolding { TextFolding() }

  /// Creates a folding.
  ///
  /// - Parameter marks: whether combining marks count.
  public init(marks: Marks = .kept) { self.marks = marks }

  /// Folds a text.
  ///
  /// - Parameter text: any text.
  /// - Returns: the folded text, in canonical decomposition.
  /// - Complexity: O(n) for n scalars.
  public func folded(_ text: String) -> String {
    var bytes: [UInt8] = []
    fold(text, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the UTF-8 of a folded text.
  func fold(_ text: String, into bytes: inout [UInt8]) {
    let isDone = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in unsafe Self.foldASCII(utf8, into: &bytes) }
    if isDone == true { return }
    ScalarFoldings.fold(text, marks, into: &bytes)
  }

  /// Appends the UTF-8 of a folded text. The text is given in UTF-8.
  func fold(_ utf8: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    if unsafe Self.foldASCII(utf8, into: &bytes) { return }
    unsafe ScalarFoldings.fold(String(decoding: utf8, as: UTF8.self), marks, into: &bytes)
  }

  /// Appends text in lower case, if all of it is ASCII.
  ///
  /// - Returns: whether all of it is ASCII. If not, no text has been appended.
  private static func foldASCII(_ utf8: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    unsafe bytes.append(contentsOf: utf8)
    // The loop has no branch, so that the compiler makes vectors of it.
    let all = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var all: UInt8 = 0
      for index in start..<(start + utf8.count) {
        let byte = unsafe buffer[index]
        all |= byte
        unsafe buffer[index] = byte &+ (byte &- 65 < 26 ? 32 : 0)
      }
      return all
    }
    if all < 0x80 { return true }
    bytes.removeSubrange(start...)
    return false
  }
}
