/// Where the values of a JSON document stand in its text: 4 bytes a value, and 8 more for each object and array that is
/// not empty.
///
///     text  {"a": [7, 8], "b": []}
///     tape  0*  8  2 | 6*  7  2 | 7 | 10 | 19
///           └ object └ array    └ 7 └ 8  └ empty array
///
/// A value has one word, the place of its first byte; `*` is a bit that says that values are in it. Then two words follow:
/// the end of its values on the tape, and how many of them are its own. The text says everything else, and is decoded when
/// it is read; keys are found before the colon that stands before their value.
struct JSONTape {
  /// The words.
  private(set) var words: [UInt32] = []
  /// The objects, arrays and other values, the empty ones included.
  private(set) var objectCount = 0
  private(set) var arrayCount = 0
  private(set) var scalarCount = 0

  /// The bit of objects and arrays that are not empty.
  static let branchBit: UInt32 = 1 << 31
  /// The longest text whose places leave that bit free.
  static let maximumLength = Int(Int32.max)

  // MARK: Reading

  /// Whether an object or an array that is not empty has its word there.
  func isBranch(_ index: Int) -> Bool { words[index] & Self.branchBit != 0 }

  /// The place of a value's first byte in the text.
  func offset(_ index: Int) -> Int { Int(words[index] & ~Self.branchBit) }

  /// The number of members or elements of a value.
  func count(_ index: Int) -> Int { isBranch(index) ? Int(words[index + 2]) : 0 }

  /// Where the value ends on the tape, with all that is in it.
  func end(_ index: Int) -> Int { isBranch(index) ? Int(words[index + 1]) : index + 1 }

  /// Where the first value of an object or an array that is not empty stands on the tape.
  func first(_ index: Int) -> Int { index + 3 }

  // MARK: Writing

  /// How far the tape has been written, to which it can be cut again.
  struct Mark {
    fileprivate let words, objects, arrays, scalars: Int
  }

  var mark: Mark { Mark(words: words.count, objects: objectCount, arrays: arrayCount, scalars: scalarCount) }

  /// Removes everything that was written since a mark.
  mutating func cut(to mark: Mark) {
    words.removeSubrange(mark.words...)
    (objectCount, arrayCount, scalarCount) = (mark.objects, mark.arrays, mark.scalars)
  }

  mutating func addScalar(at offset: Int) {
    words.append(UInt32(offset))
    scalarCount += 1
  }

  /// Adds an empty object or array.
  mutating func addEmpty(at offset: Int, isObject: Bool) {
    words.append(UInt32(offset))
    if isObject { objectCount += 1 } else { arrayCount += 1 }
  }

  /// Adds an object or an array that is not empty, which is open until `close(_:)`.
  ///
  /// - Returns: its place on the tape.
  mutating func open(at offset: Int, isObject: Bool) -> UInt32 {
    let index = UInt32(words.count)
    words.append(UInt32(offset) | Self.branchBit)
    words.append(0)
    words.append(0)
    if isObject { objectCount += 1 } else { arrayCount += 1 }
    return index
  }

  /// Opens the list of several documents, which has no place in the text of its own.
  mutating func openSequence() -> UInt32 {
    words += [Self.branchBit, 0, 0]
    return 0
  }

  /// Counts one more value of an open object or array.
  mutating func count(in index: UInt32) { words[Int(index) + 2] += 1 }

  mutating func close(_ index: UInt32) { words[Int(index) + 1] = UInt32(words.count) }

  /// For each place on the tape the number of values before it, and the number of all values at the end.
  ///
  /// - Complexity: O(n) for n values, and as many bytes as the tape has.
  var ordinals: [UInt32] {
    var ordinals = [UInt32](repeating: 0, count: words.count + 1)
    var (index, ordinal) = (0, UInt32(0))
    while index < words.count {
      let next = isBranch(index) ? index + 3 : index + 1
      for place in index..<next { ordinals[place] = ordinal }
      ordinal += 1
      index = next
    }
    ordinals[index] = ordinal
    return ordinals
  }

  /// For each place of a value, the place of the value that it is in; 0 for those at the top.
  ///
  /// - Complexity: O(n) for n values, and as many bytes as the tape has.
  var parents: [UInt32] {
    var parents = [UInt32](repeating: 0, count: words.count)
    var open: [(place: UInt32, end: Int)] = []
    var index = 0
    while index < words.count {
      while let last = open.last, last.end <= index { open.removeLast() }
      parents[index] = open.last?.place ?? 0
      if isBranch(index) {
        open.append((UInt32(index), end(index)))
        index += 3
      } else {
        index += 1
      }
    }
    return parents
  }
}
