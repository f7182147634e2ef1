// The loops over elements. They are inlinable, so that they are specialized for the element where a filter is made.

/// Asks a predicate about a range of a node's children, a word of 64 at a time.
///
/// - Parameters:
///   - reader: reads the node.
///   - range: the positions to ask about.
///   - mask: the positions that need an answer; nil for all. The answer for other positions is false.
///   - valueless: the answer for children without a value.
///   - predicate: the predicate.
/// - Returns: a bit for each position of the range.
@inlinable @inline(__always)
func evaluate<Element>(
  _ reader: NodeReader<Element>, _ range: Range<Int>, _ mask: BitRun?, valueless: Bool = true,
  _ predicate: (Element) -> Bool
) -> BitRun {
  var run = BitRun(repeating: false, count: range.count)
  if range.isEmpty { return run }
  // The end of the answers so far. Positions between two pieces have no value.
  var next = 0
  reader.forEachSpan(in: range) { start, span in
    let first = start &- range.lowerBound
    if valueless && first > next { run.set(next..<first, among: mask) }
    next = first &+ span.count
    run.ask(about: span, from: first, among: mask, predicate)
  }
  if valueless && next < range.count { run.set(next..<range.count, among: mask) }
  return run
}
