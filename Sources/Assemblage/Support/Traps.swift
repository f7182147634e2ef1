/// Stops the program with one sentence unless a condition holds.
///
/// Unlike `precondition`, it prints the sentence in a release build too.
@inlinable @inline(__always)
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { trap(sentence()) }
}

/// Stops the program with one sentence, in release builds too.
///
/// This function is not inlined, so that the checks which call it stay cheap.
@usableFromInline @inline(never)
func trap(_ sentence: String) -> Never { fatalError(sentence) }

/// Traps unless `position` is within `0..<count`.
@inlinable @inline(__always)
func checkPosition(_ position: Int, in count: Int, of node: StaticString) {
  if position < 0 || position >= count { trapPosition(position, count, node) }
}

/// Traps unless `position` is within `0...count`.
@inlinable @inline(__always)
func checkInsertion(_ position: Int, in count: Int, of node: StaticString) {
  if position < 0 || position > count { trapInsertion(position, count, node) }
}

/// Traps unless `range` is within `0..<count`.
@inlinable @inline(__always)
func checkRange(_ range: Range<Int>, in count: Int, of node: StaticString) {
  if range.lowerBound < 0 || range.upperBound > count { trapRange(range, count, node) }
}

/// The positions that a range names, for example `1...`. Traps unless they are within `0..<count`.
@inlinable
func positions(of range: some RangeExpression<Int>, in count: Int, of node: StaticString) -> Range<Int> {
  // Relative to the node itself, the standard library traps without a sentence where the node is too short.
  let all = range.relative(to: Int.min..<Int.max)
  let start = all.lowerBound == .min ? 0 : all.lowerBound
  let end = all.upperBound == .max ? count : all.upperBound
  if start < 0 || start > end || end > count { trapPositions(all, count, node) }
  return start..<end
}

@usableFromInline @inline(never)
func trapPosition(_ position: Int, _ count: Int, _ node: StaticString) -> Never {
  trap("\(node): the position \(position) is out of range 0..<\(count).")
}

@usableFromInline @inline(never)
func trapInsertion(_ position: Int, _ count: Int, _ node: StaticString) -> Never {
  trap("\(node): the position \(position) of an insertion is out of range 0...\(count).")
}

@usableFromInline @inline(never)
func trapRange(_ range: Range<Int>, _ count: Int, _ node: StaticString) -> Never {
  trap("\(node): the range \(range) is out of range 0..<\(count).")
}

/// Traps for a range that may have only one end.
@usableFromInline @inline(never)
func trapPositions(_ range: Range<Int>, _ count: Int, _ node: StaticString) -> Never {
  let start = range.lowerBound == .min ? "" : "\(range.lowerBound)"
  let end = range.upperBound == .max ? "..." : "..<\(range.upperBound)"
  trap("\(node): the range \(start)\(end) is out of range 0..<\(count).")
}

/// Traps unless `position` is within `0..<count`: a component of `path`, in the node at `parent`.
func checkComponent(_ position: Int, in count: Int, at parent: @autoclosure () -> IndexPath, of path: IndexPath) {
  require(
    position >= 0 && position < count,
    "The path \(path.sentence) is out of range: there \(isOrAre(count)) at \(parent().sentence).")
}

/// Traps unless `position` is within `0...count`: an insertion into the node at `parent`.
func checkInsertion(_ position: Int, in count: Int, at parent: IndexPath) {
  require(
    position >= 0 && position <= count,
    "The position \(position) is out of range: there \(isOrAre(count)) at \(parent.sentence).")
}

/// A number of children for messages: "1 child", "3 children".
func countedChildren(_ count: Int) -> String { count == 1 ? "1 child" : "\(count) children" }

/// The verb and the number of children for messages: "is 1 child", "are 3 children".
func isOrAre(_ count: Int) -> String { (count == 1 ? "is " : "are ") + countedChildren(count) }

/// The name of a type with its article for messages: "a FilterNode<Int>", "an ArrayNode<Int>".
func withArticle(_ type: Any.Type) -> String {
  let name = String(describing: type)
  return ("AEIO".contains(name.first ?? "?") ? "an " : "a ") + name
}

extension Sequence<Int> {
  /// The components in brackets, for messages.
  var sentence: String { "[" + map(String.init).joined(separator: ", ") + "]" }
}
