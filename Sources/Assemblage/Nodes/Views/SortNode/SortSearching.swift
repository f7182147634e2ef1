/// Finds the sorted position of a child that arrived or changed, among the other children of a node.
///
/// Children that tie have the order of the node, and children without a value are last. The result is a position among
/// the other children, even if the comparator is inconsistent.
///
/// - Parameters:
///   - position: the child's position in the node, which has changed already.
///   - former: the sorted position that the child still has; negative for a new child, which has none.
///   - order: the order of the children, which does not include the change yet.
///   - landmarks: the kept elements of the order. Each element that is read is kept, except the child itself.
///   - reader: reads the node.
///   - areInIncreasingOrder: returns whether its first argument is before its second.
/// - Returns: the number of other children before the child.
/// - Complexity: O(log n) comparisons, nearly all of them with landmarks if these are kept; O(log² n) steps.
@inlinable @inline(__always)
func placed<Element>(
  _ position: Int, from former: Int, in order: PermutationIndex, _ landmarks: Landmarks<Element>,
  _ reader: NodeReader<Element>, _ areInIncreasingOrder: (Element, Element) -> Bool
) -> Int {
  let element = reader.element(at: position)
  var (low, high) = (0, order.count)
  // The order does not contain a new child. In the node, the children from its position on lie one position further.
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
  // Returns whether another child is before this one by the comparator alone; false if they tie.
  func precedes(_ number: Int) -> Bool {
    guard let value = value(of: number) else { return false }
    guard let element else { return true }
    countCalls()
    return areInIncreasingOrder(value, element)
  }
  // Returns whether another child is before this one, also if they tie. A tie needs a look-up of the other's position.
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
    // An update often leaves a child in its position.
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
