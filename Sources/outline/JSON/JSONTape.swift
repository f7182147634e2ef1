/// The positions of the values of a JSON document in its text: 4 bytes for each value, and 8 more for each object and
/// array that is not empty.
///
///     text  {"a": [7, 8], "b": []}
///     tape  0*  8  2 | 6*  7  2 | 7 | 10 | 19
///           └ object └ array    └ 7 └ 8  └ empty array
///
/// A value has one word, the position of its first byte; `*` is a bit for a value that contains values. Then two words
/// follow: the end of its descendants on the tape, and the number of its children. Everything else is decoded from the
/// text when it is needed. A key is found by going back from its value, past the colon.
struct JSONTape {
  /// The words.
  private(set) var words: [UInt32] = []
  /// The numbers of objects, arrays and other values, including empty ones.
  private(set) var objectCount = 0
  private(set) var arrayCount = 0
  private(set) var scalarCount = 0

  /// The bit of objects and arrays that are not empty.
  static let branchBit: UInt32 = 1 << 31
  /// The longest text in which positions do not need this bit.
  static let maximumLength = Int(Int32.max)

  // MARK: Reading

  /// Whether the word at a place belongs to an object or an array that is not empty.
  func isBranch(_ index: Int) -> Bool { words[index] & Self.branchBit != 0 }

  /// The position of a value's first byte in the text.
  func offset(_ index: Int) -> Int { Int(words[index] & ~Self.branchBit) }

  /// The number of members or elements of a value.
  func count(_ index: Int) -> Int { isBranch(index) ? Int(words[index + 2]) : 0 }

  /// The end of a value on the tape, including its descendants.
  func end(_ index: Int) -> Int { isBranch(index) ? Int(words[index + 1]) : index + 1 }

  /// The place of the first child of an object or an array that is not empty.
  func first(_ index: Int) -> Int { index + 3 }

  // MARK: Writing

  /// A state of the tape, to which the tape can be cut again.
  struct Mark {
    fileprivate let words, objects, arrays, scalars: Int
  }

  var mark: Mark { Mark(words: words.count, objects: objectCount, arrays: arrayCount, scalars: scalarCount) }

  /// Removes all values that were added after a mark.
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
  /// - Returns: the place of the value on the tape.
  mutating func open(at offset: Int, isObject: Bool) -> UInt32 {
    let index = UInt32(words.count)
    words.append(UInt32(offset) | Self.branchBit)
    words.append(0)
    words.append(0)
    if isObject { objectCount += 1 } else { arrayCount += 1 }
    return index
  }

  /// Opens the list of several documents, which has no position of its own in the text.
  mutating func openSequence() -> UInt32 {
    words += [Self.branchBit, 0, 0]
    return 0
  }

  /// Counts one more value of an open object or array.
  mutating func count(in index: UInt32) { words[Int(index) + 2] += 1 }

  mutating func close(_ index: UInt32) { words[Int(index) + 1] = UInt32(words.count) }

  /// The number of values before each place on the tape; the last number counts all values.
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

  /// The place of the parent of each value; 0 for values at the top.
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
