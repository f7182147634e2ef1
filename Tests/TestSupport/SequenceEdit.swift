/// One edit of a sequence, without the elements.
///
/// A script applies the same edit to a subject and to its model.
public enum SequenceEdit: Hashable, Sendable, CustomStringConvertible {
  /// Inserts `count` new elements before the element at `at`.
  case insert(count: Int, at: Int)
  /// Removes the elements in a range.
  case remove(Range<Int>)
  /// Replaces one element with a new one.
  case update(at: Int)
  /// Moves one element, which then lies at `to`.
  case move(from: Int, to: Int)

  /// The number of elements that the edit adds; negative for a removal.
  public var countChange: Int {
    switch self {
    case .insert(let count, _): count
    case .remove(let range): -range.count
    case .update, .move: 0
    }
  }

  /// Applies the edit to `elements`.
  ///
  /// - Parameters:
  ///   - elements: the model.
  ///   - makeElement: makes each inserted or updated element, in ascending order of position.
  public func apply<Element>(to elements: inout [Element], _ makeElement: () -> Element) {
    switch self {
    case .insert(let count, let position):
      elements.insert(contentsOf: (0..<count).map { _ in makeElement() }, at: position)
    case .remove(let range):
      elements.removeSubrange(range)
    case .update(let position):
      elements[position] = makeElement()
    case .move(let source, let target):
      elements.insert(elements.remove(at: source), at: target)
    }
  }

  /// Returns a random edit of `count` elements.
  ///
  /// Each of the four kinds is equally probable where it is possible. An empty sequence only grows.
  ///
  /// - Parameters:
  ///   - count: the sequence's number of elements.
  ///   - longest: the greatest number of elements inserted or removed at once.
  ///   - generator: the source of the random choices.
  /// - Returns: an edit that is legal on a sequence of `count` elements.
  public static func random(
    count: Int, longest: Int = 3, using generator: inout SeededGenerator
  ) -> SequenceEdit {
    let kind = count == 0 ? 0 : Int.random(in: 0..<4, using: &generator)
    switch kind {
    case 0:
      let position = Int.random(in: 0...count, using: &generator)
      return .insert(count: Int.random(in: 1...longest, using: &generator), at: position)
    case 1:
      let length = Int.random(in: 1...min(longest, count), using: &generator)
      let start = Int.random(in: 0...(count - length), using: &generator)
      return .remove(start..<(start + length))
    case 2:
      return .update(at: Int.random(in: 0..<count, using: &generator))
    default:
      return .move(
        from: Int.random(in: 0..<count, using: &generator),
        to: Int.random(in: 0..<count, using: &generator))
    }
  }

  /// The edit in words: `insert 2 at 0`.
  public var description: String {
    switch self {
    case .insert(let count, let position): "insert \(count) at \(position)"
    case .remove(let range): "remove \(range)"
    case .update(let position): "update \(position)"
    case .move(let source, let target): "move \(source) to \(target)"
    }
  }
}
