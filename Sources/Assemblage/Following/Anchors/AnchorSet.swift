/// A set of anchors in one node: each is a persistent position that follows its element.
///
/// ```swift
/// let work = BranchNode(value: "work", leaves: ["a", "b"])
/// let home = BranchNode(value: "home", leaves: ["c"])
/// let tree = BranchNode([work, home])
/// let anchors = AnchorSet(of: tree)
/// let b = anchors.anchor(at: [0, 1])
/// tree.move(from: [0, 1], to: [1, 0])
/// b.path                      // [1, 0]
/// home.remove(at: 0)
/// b.path                      // nil: "b" has left
/// b.nearest                   // [1, 0]: "c", the next sibling
/// ```
///
/// A set observes the node once for all its anchors. It holds only the places of the anchors, and the places above
/// these; the rest of the tree costs nothing.
///
/// An anchor is always current. Inside a transaction, and in observers that are called before others, the anchor has
/// the place of its element at that moment. Asking an anchor brings the node up to date, like reading a view. A
/// transaction that is rolled back leaves the anchors where they were, with one exception: if its body removed an
/// element, and then asked an anchor or read a view, the anchors of that element stay lost.
///
/// - Complexity: a change of the node costs O(log k) for each of its ranges in a node with k anchors below, and
///   O(d · log k) for each transfer. Each anchor that is lost or moves costs O(1) more.
public final class AnchorSet<Element> {
  /// The node of the anchors.
  package let node: any TreeNode<Element>

  private let state = Cell(State())

  private struct State {
    var tree = PlaceTree()
    /// The places of the anchors, by their numbers.
    var places: [Int] = []
    /// Whether the elements of the anchors have left, by the numbers of the anchors.
    var isLost: [Bool] = []
    /// The numbers that no anchor has.
    var freeNumbers: [Int] = []
    /// The numbers of the anchors at each place.
    var numbers: [Int: Set<Int>] = [:]
    var observation: NodeObservation?
  }

  /// Creates a set without anchors.
  ///
  /// - Parameter node: the node of the anchors, which is kept alive.
  /// - Complexity: O(1).
  public init(of node: any TreeNode<Element>) {
    self.node = node
    state.value.observation = node.observe { [unowned self] change in follow(change) }
  }

  deinit {
    state.value.observation?.cancel()
    state.destroy()
  }

  /// Creates an anchor.
  ///
  /// - Parameter path: the path of an element, as of now; [] is the node itself, which never leaves.
  /// - Returns: the anchor, which keeps the set alive; when the anchor is released, the place is no longer followed.
  /// - Precondition: there is such a place; anything else traps.
  /// - Complexity: O(d · log n) for a path of length d.
  public func anchor(at path: IndexPath) -> NodeAnchor<Element> {
    NodeAnchor(self, number(at: path))
  }

  /// Makes an anchor at a path, and returns its number.
  func number(at path: IndexPath) -> Int {
    catchUp()
    if let last = path.last {
      checkComponent(last, in: node.count(at: path.dropLast()) ?? 0, at: path.dropLast(), of: path)
    }
    let place = state.value.tree.makePlace(at: path)
    let number: Int
    if let free = state.value.freeNumbers.popLast() {
      number = free
      state.value.isLost[number] = false
    } else {
      number = state.value.places.count
      state.value.places.append(place)
      state.value.isLost.append(false)
    }
    stand([number], at: place)
    return number
  }

  /// The number of anchors.
  ///
  /// - Complexity: O(1).
  package var count: Int { state.value.places.count - state.value.freeNumbers.count }

  private func catchUp() { state.value.observation?.catchUp() }

  /// Finds the path of an anchor, and whether its element has left.
  func place(of number: Int) -> (path: IndexPath, isLost: Bool) {
    catchUp()
    let path = state.value.tree.path(of: state.value.places[number])
    return (IndexPath(indexes: path), state.value.isLost[number])
  }

  func release(_ number: Int) {
    let place = state.value.places[number]
    state.value.numbers[place]!.remove(number)
    if state.value.numbers[place]!.isEmpty {
      state.value.numbers[place] = nil
      state.value.tree.release(place)
    }
    state.value.freeNumbers.append(number)
  }

  private func stand(_ numbers: Set<Int>, at place: Int) {
    for number in numbers { state.value.places[number] = place }
    state.value.numbers[place, default: []].formUnion(numbers)
    state.value.tree.keep(place)
  }

  private func follow(_ change: ChangeSet) {
    let outcome = state.value.tree.apply(change)
    for loss in outcome.losses {
      var numbers: Set<Int> = []
      for place in loss.places.flatMap({ state.value.tree.discard($0) }) {
        numbers.formUnion(state.value.numbers.removeValue(forKey: place)!)
      }
      if numbers.isEmpty { continue }
      for number in numbers { state.value.isLost[number] = true }
      let path = state.value.tree.path(of: loss.parent)
      let count = node.child(at: IndexPath(indexes: path))?.count ?? 0
      if let position = loss.next < count ? loss.next : loss.previous {
        stand(numbers, at: state.value.tree.makePlace(at: position, in: loss.parent))
      } else {
        stand(numbers, at: loss.parent)
      }
    }
    state.value.tree.prune(outcome)
  }

  /// The number of places that are followed, for tests.
  var placeCount: Int {
    state.value.tree.checkInvariants()
    return state.value.tree.count
  }
}

@available(*, unavailable)
extension AnchorSet: Sendable {}
