/// The places of the sections of a tree: which children of which nodes are sections.
///
///     tree                    nodes          items
///     ├ S1                    0: the root    0: child 0 of node 0
///     ├ P                     1: P           1: child 0 of node 1
///     │  ├ S2                                2: child 1 of node 1
///     │  └ S3                                3: child 2 of node 0
///     └ S4
///
/// A node that is no section has a number, and each of its other children is an item. The items are in document order.
struct SectionPlaces {
  /// A section, or a leaf beside sections.
  struct Item {
    /// The number of the parent.
    let parent: Int
    /// The position in the parent.
    let position: Int
    let isLeaf: Bool
  }

  /// The child at a place.
  enum Child {
    case item(Int)
    /// A node that is no section, by its number.
    case node(Int)
  }

  private struct Key: Hashable {
    let parent: Int
    let position: Int
  }

  private(set) var items: [Item] = []
  /// The place of each node in its parent; the root has none.
  private var places: [Key?] = [nil]
  private var children: [Key: Child] = [:]

  /// Adds the next item in document order.
  mutating func appendItem(at position: Int, of parent: Int, isLeaf: Bool) {
    children[Key(parent: parent, position: position)] = .item(items.count)
    items.append(Item(parent: parent, position: position, isLeaf: isLeaf))
  }

  /// Adds a node that is no section.
  ///
  /// - Returns: its number.
  mutating func appendNode(at position: Int, of parent: Int) -> Int {
    let key = Key(parent: parent, position: position)
    children[key] = .node(places.count)
    places.append(key)
    return places.count - 1
  }

  /// The child at a position of a node; nil if there is none.
  func child(at position: Int, of parent: Int) -> Child? { children[Key(parent: parent, position: position)] }

  /// The path of an item.
  ///
  /// - Complexity: O(d) for a path of length d.
  func path(of item: Int) -> [Int] { path(of: items[item].position, in: items[item].parent) }

  /// The path of a child of a node.
  func path(of position: Int, in parent: Int) -> [Int] {
    var path = [position]
    var node = parent
    while let place = places[node] {
      path.append(place.position)
      node = place.parent
    }
    return path.reversed()
  }

  /// The item at a path, or above it.
  ///
  /// - Parameter path: any path of the tree.
  /// - Returns: the item, and the length of its path; nil for the path of a node that is no section.
  /// - Complexity: expected O(d) for a path of length d.
  func item(at path: some Collection<Int>) -> (item: Int, depth: Int)? {
    var node = 0
    for (index, position) in path.enumerated() {
      switch child(at: position, of: node) {
      case .item(let item): return (item, index + 1)
      case .node(let number): node = number
      case nil: return nil
      }
    }
    return nil
  }

  /// The place, in the list of items, of a place in the tree; nil for a node that is no section.
  func place(_ path: [Int]) -> Crossing.Place? {
    item(at: path).map { Crossing.Place([$0.item] + path.dropFirst($0.depth)) }
  }
}
