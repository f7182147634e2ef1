/// A path of a search, whose end other paths of the search share.
///
///     [3, 0, 7]   3 → 0 → 7
///     [5, 0, 7]   5 ↗
///
/// So a path with another component in front, or without its first component, costs O(1), and so does its hash value.
/// All paths of a search are kept until the search ends.
struct SharedPath: Hashable {
  private final class Steps {
    var steps: [Step] = []
  }

  private struct Step {
    let position: Int
    /// The index of the step behind this one; -1: there is none.
    let next: Int
    /// The hash value of the path that begins with this step.
    let hash: Int
  }

  private let steps: Steps
  /// The index of the first step; -1: the path is empty.
  private let start: Int

  /// An empty path, for a new search.
  init() { (steps, start) = (Steps(), -1) }

  private init(_ steps: Steps, _ start: Int) { (self.steps, self.start) = (steps, start) }

  var isEmpty: Bool { start < 0 }

  var first: Int? { isEmpty ? nil : steps.steps[start].position }

  var components: [Int] {
    var result: [Int] = []
    var index = start
    while index >= 0 {
      result.append(steps.steps[index].position)
      index = steps.steps[index].next
    }
    return result
  }

  func prepending(_ position: Int) -> Self { prepending(contentsOf: CollectionOfOne(position)) }

  func prepending(contentsOf path: some BidirectionalCollection<Int>) -> Self {
    var (next, hash) = (start, isEmpty ? 0 : steps.steps[start].hash)
    for position in path.reversed() {
      // The factor is odd, so that no bit of the rest is lost.
      hash = hash &* 0x5851_f42d_4c95_7f2d &+ position &+ 1
      steps.steps.append(Step(position: position, next: next, hash: hash))
      next = steps.steps.count - 1
    }
    return Self(steps, next)
  }

  func dropFirst() -> Self { isEmpty ? self : Self(steps, steps.steps[start].next) }

  /// Any other path of the same search.
  func replaced(by path: some BidirectionalCollection<Int>) -> Self { Self(steps, -1).prepending(contentsOf: path) }

  /// The path with another first component; nil where there is none, before or after.
  func mappingFirst(_ map: (Int) -> Int?) -> Self? { first.flatMap(map).map { dropFirst().prepending($0) } }

  /// Whether two paths of one search are equal.
  ///
  /// - Complexity: O(1) for most paths that differ; otherwise, O(k) for k components before the shared end.
  static func == (left: Self, right: Self) -> Bool {
    let steps = left.steps.steps
    var (a, b) = (left.start, right.start)
    while a != b {
      guard a >= 0, b >= 0, steps[a].hash == steps[b].hash, steps[a].position == steps[b].position else { return false }
      (a, b) = (steps[a].next, steps[b].next)
    }
    return true
  }

  func hash(into hasher: inout Hasher) { hasher.combine(isEmpty ? 0 : steps.steps[start].hash) }
}
