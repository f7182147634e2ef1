/// Enumerates every small case.
///
/// A test loops over the cases, with one expectation for each.
public enum Exhaustive {
  /// Calls `body` with every vector over `alphabet` of each length up to `length`, the empty one first.
  ///
  ///     Exhaustive.forEachVector(over: [0, 1], upTo: 2) { print($0) }
  ///     // [], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]
  ///
  /// - Complexity: O(aᵏ · k) for a letters and length k.
  public static func forEachVector<Letter>(
    over alphabet: [Letter], upTo length: Int, _ body: ([Letter]) throws -> Void
  ) rethrows {
    for length in 0...length {
      try forEachVector(over: alphabet, count: length, body)
    }
  }

  /// Calls `body` with every vector over `alphabet` of exactly `count` letters, in lexicographic order.
  public static func forEachVector<Letter>(
    over alphabet: [Letter], count: Int, _ body: ([Letter]) throws -> Void
  ) rethrows {
    guard count > 0 else { return try body([]) }
    guard !alphabet.isEmpty else { return }
    var digits = Array(repeating: 0, count: count)
    while true {
      try body(digits.map { alphabet[$0] })
      // Counts up in base `alphabet.count`; a carry out of the first digit is the end.
      var place = count - 1
      while digits[place] == alphabet.count - 1 {
        digits[place] = 0
        if place == 0 { return }
        place -= 1
      }
      digits[place] += 1
    }
  }

  /// Returns every vector over `alphabet` of each length up to `length`, the empty one first.
  public static func vectors<Letter>(over alphabet: [Letter], upTo length: Int) -> [[Letter]] {
    var result: [[Letter]] = []
    forEachVector(over: alphabet, upTo: length) { result.append($0) }
    return result
  }

  /// Returns every range inside `0..<count`, with the empty ranges at each position.
  public static func subranges(of count: Int) -> [Range<Int>] {
    (0...count).flatMap { start in (start...count).map { start..<$0 } }
  }

  /// Returns every subset of `0..<count`, ascending; `count` must be below 20.
  public static func subsets(of count: Int) -> [[Int]] {
    precondition((0..<20).contains(count), "there are too many subsets of \(count) elements")
    return (0..<(1 << count)).map { mask in (0..<count).filter { mask >> $0 & 1 == 1 } }
  }

  /// Returns every order of `0..<count`, in lexicographic order; `count` must be below 10.
  public static func permutations(of count: Int) -> [[Int]] {
    precondition((0..<10).contains(count), "there are too many permutations of \(count) elements")
    var result: [[Int]] = [[]]
    for _ in 0..<count {
      result = result.flatMap { prefix in
        (0..<count).filter { !prefix.contains($0) }.map { prefix + [$0] }
      }
    }
    return result
  }

  /// Returns every edit of a sequence of `count` elements: see `SequenceEdit`.
  ///
  /// - Parameters:
  ///   - count: the sequence's number of elements.
  ///   - longestInsertion: the greatest number of elements inserted at once.
  /// - Returns: the edits, each once, with the insertions first.
  public static func edits(count: Int, longestInsertion: Int = 1) -> [SequenceEdit] {
    var edits: [SequenceEdit] = []
    for position in 0...count {
      for length in stride(from: 1, through: longestInsertion, by: 1) {
        edits.append(.insert(count: length, at: position))
      }
    }
    for range in subranges(of: count) where !range.isEmpty { edits.append(.remove(range)) }
    for position in 0..<count { edits.append(.update(at: position)) }
    for source in 0..<count {
      for target in 0..<count where target != source { edits.append(.move(from: source, to: target)) }
    }
    return edits
  }

  /// Calls `body` with every edit of `count` elements, followed by every edit of the sequence that the first edit
  /// leaves.
  public static func forEachPairOfEdits(
    count: Int, longestInsertion: Int = 1, _ body: (SequenceEdit, SequenceEdit) throws -> Void
  ) rethrows {
    for first in edits(count: count, longestInsertion: longestInsertion) {
      let seconds = edits(count: count + first.countChange, longestInsertion: longestInsertion)
      for second in seconds { try body(first, second) }
    }
  }

  /// Returns every ordered forest of exactly `count` nodes, with values numbered from 0 in preorder.
  ///
  /// For 0, 1, 2 … nodes there are 1, 1, 2, 5, 14, 42, 132 forests (the Catalan numbers). A forest is the children of a
  /// root whose value is nil.
  public static func forests(count: Int) -> [NaiveTree<Int>] {
    shapes(count: count).map { children in
      var tree = NaiveTree<Int>(value: nil, children: children)
      for (number, path) in tree.paths.dropFirst().enumerated() { tree[path].value = number }
      return tree
    }
  }

  /// Returns every ordered forest of up to `count` nodes.
  public static func forests(upTo count: Int) -> [NaiveTree<Int>] {
    (0...count).flatMap { forests(count: $0) }
  }

  private static func shapes(count: Int) -> [[NaiveTree<Int>]] {
    guard count > 0 else { return [[]] }
    // The first tree has a root and `inner` more nodes; the rest is a forest again.
    return (0..<count).flatMap { inner in
      shapes(count: inner).flatMap { children in
        shapes(count: count - 1 - inner).map { rest in
          [NaiveTree(value: nil, children: children)] + rest
        }
      }
    }
  }
}
