/// An order of the children of a tree's nodes by data that do not belong to the children's own values, for example by
/// totals.
///
/// The owner of the data has names for nodes. A name is valid until the tree changes; a node without data has none. All
/// positions are those of the tree's present state.
@usableFromInline
struct ChildOrder {
  /// The name of the node at a path.
  let node: (_ path: [Int]) -> Int?
  /// The name of the child at a position.
  let child: (_ position: Int, _ node: Int?) -> Int?
  /// The order of some of a node's children, as indexes into the list of their ascending positions. Children that tie
  /// keep their order.
  let sort: (_ positions: [Int], _ node: Int?) -> [Int]
  /// Runs a search for the position of a child among others. It gives the search a closure that returns whether another
  /// child is before this one; of children that tie, the first one in the tree is.
  let place: (_ position: Int, _ node: Int?, _ search: (_ isBefore: (Int) -> Bool) -> Int) -> Int
}
