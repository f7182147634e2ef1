/// Finds the place of a child of a node that came or changed, among the others in the order of a comparator.
///
/// Those that tie stand as in the node, and those without a value come last. Whatever the comparator says, the place is one
/// among the others.
///
/// - Parameters:
///   - position: the child's position in the node, which shows the change already.
///   - former: its sorted position, which it has still; negative where it came, and has none.
///   - order: the order of the children, which has not taken in the change.
///   - landmarks: what is kept of the order's elements. What is read is kept, but of the child itself.
///   - reader: reads the node.
///   - areInIncreasingOrder: says whether its first argument comes before its second.
/// - Returns: the number of the others that stand before it.
/// - Complexity: O(log n) comparisons, all but a few of them with landmarks where these are kept; O(log² n) steps.
@inlinable @inline(__always)
func placed<Element>(
  _ position: Int, from former: Int, in order: PermutationIndex, _ landmarks: Landmarks<Element>,
  _ reader: NodeReader<Element>, _ areInIncreasingOrder: (Element, Element) -> Bool
) -> Int {
  let element = reader.element(at: position)
  var (low, high) = (0, order.count)
  // The order knows nothing of a new child: those from its position on stand one further in the node.
  func source(of number: Int) -> Int {
    let source = order.sourcePosition(ofNumber: number)
    return former < 0 && source >= position ? source &+ 1 : source
  }
  func value(of number: Int) -> Element? {
    if let value = landmarks.element(of: number) { return value }
    guard let value = reader.element(at: source(of: number)) else { return nil }
    landmarks.keep(value, of: number, below: order.handleLimit)
    return value
  }
  // Whether another child comes before this one, where they do not tie.
  func precedes(_ number: Int) -> Bool {
    guard let value = value(of: number) else { return false }
    guard let element else { return true }
    countCalls()
    return areInIncreasingOrder(value, element)
  }
  // The same where they may tie: for that, its position in the node has to be looked up.
  func isBefore(_ place: Int) -> Bool {
    let number = order.number(at: place)
    let source = source(of: number)
    guard let value = value(of: number) else { return element == nil && source < position }
    guard let element else { return true }
    countCalls()
    return source < position ? !areInIncreasingOrder(element, value) : areInIncreasingOrder(value, element)
  }

  if former >= 0 {
    landmarks.forget(order.number(at: former))
    // An update often leaves a child where it was.
    if former > 0, !isBefore(former &- 1) {
      high = former &- 1
    } else if former &+ 1 < high, isBefore(former &+ 1) {
      low = former &+ 2
    } else {
      return former
    }
  }
  let end = high
  while low < high {
    let probe = order.handle(
      near: (low &+ high) / 2, in: low..<high, multipleOf: Landmarks<Element>.spacing)
    if precedes(probe.number) { low = probe.position &+ 1 } else { high = probe.position }
  }
  let place = SortTranslation.search(from: low, to: end, step: 1, isBefore: isBefore)
  return former >= 0 && place > former ? place &- 1 : place
}
