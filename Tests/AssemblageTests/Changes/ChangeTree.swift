import Assemblage
import Foundation

/// A tree of elements with identities, to which change sets are applied: small, plain and recursive.
struct ChangeTree: Hashable, Sendable {
  /// Tells elements apart; the root's is 0.
  var id: Int
  /// Counts the updates of the element.
  var version = 0
  var children: [ChangeTree] = []

  /// The node at `path`.
  subscript(path: IndexPath) -> ChangeTree {
    get { path.reduce(self) { $0.children[$1] } }
    set {
      guard let first = path.first else {
        self = newValue
        return
      }
      children[first][path.dropFirst()] = newValue
    }
  }

  /// The paths of all nodes, the root's first.
  var allPaths: [IndexPath] {
    [IndexPath()]
      + children.enumerated().flatMap { position, child in
        child.allPaths.map { IndexPath(index: position).appending($0) }
      }
  }

  /// For each id, its path.
  var pathsByID: [Int: IndexPath] {
    Dictionary(uniqueKeysWithValues: allPaths.map { (self[$0].id, $0) })
  }

  /// Replays `change` with no more knowledge than it has: `fresh` yields the inserted subtree or the updated element at
  /// a path after the change.
  func applying(
    _ change: ChangeSet, at path: IndexPath = IndexPath(), fresh: (IndexPath) -> ChangeTree
  ) -> ChangeTree {
    var result = self
    if change.updatesValue {
      result.id = fresh(path).id
      result.version = fresh(path).version
    }
    let map = Delta.PositionMap(change.delta)
    result.children = change.delta.applying(to: children) { position in
      let new = fresh(path.appending(position))
      guard let old = map.position(before: position) else { return new }
      return ChangeTree(id: new.id, version: new.version, children: children[old].children)
    }
    for child in change.children {
      // An update of the child's value was applied by its parent's delta.
      var inside = child.change
      inside.updatesValue = false
      result.children[child.position] = result.children[child.position]
        .applying(inside, at: path.appending(child.position), fresh: fresh)
    }
    return result
  }

  /// The change from this tree to `after`, from identities alone: the oracle of composing.
  func change(to after: ChangeTree) -> ChangeSet {
    let positions = Dictionary(uniqueKeysWithValues: children.enumerated().map { ($1.id, $0) })
    let origins = after.children.map { positions[$0.id] }
    let model = DeltaModel(
      oldCount: children.count, origins: origins,
      isUpdated: zip(after.children, origins).map { child, origin in
        origin.map { children[$0].version != child.version } ?? false
      })
    let inside = zip(after.children, origins).enumerated().compactMap { position, pair in
      pair.1.map { (position: position, change: children[$0].change(to: pair.0)) }
    }
    return ChangeSet(delta: model.delta, updatesValue: version != after.version, children: inside)
  }

  /// The paths of the change from this tree to `after`, but for moves, from identities alone.
  func paths(to after: ChangeTree) -> (removals: [IndexPath], insertions: [IndexPath], updates: [IndexPath]) {
    let before = pathsByID
    let later = after.pathsByID
    let removals = before.filter { id, path in
      later[id] == nil && (path.isEmpty || later[self[path.dropLast()].id] != nil)
    }
    let insertions = later.filter { id, path in
      before[id] == nil && (path.isEmpty || before[after[path.dropLast()].id] != nil)
    }
    let updates = later.filter { id, path in
      before[id].map { self[$0].version != after[path].version } ?? false
    }
    return (removals.values.sorted(), insertions.values.sorted(), updates.values.sorted())
  }

  // MARK: Edits

  /// One edit of a tree: what it did, told as a change set, and the tree afterwards.
  struct Edit {
    var change: ChangeSet
    var tree: ChangeTree
    var kind: String
  }

  /// `change` of the node at `path`, as the root tells it.
  static func wrap(_ change: ChangeSet, at path: IndexPath) -> ChangeSet {
    path.reversed().reduce(change) { $0.wrapped(at: $1) }
  }

  func inserting(_ new: ChangeTree, at position: Int, in path: IndexPath) -> Edit {
    var tree = self
    tree[path].children.insert(new, at: position)
    let change = ChangeSet(.insertion(position..<(position + 1)))
    return Edit(change: Self.wrap(change, at: path), tree: tree, kind: "insert")
  }

  func removing(_ range: Range<Int>, in path: IndexPath) -> Edit {
    var tree = self
    tree[path].children.removeSubrange(range)
    return Edit(change: Self.wrap(ChangeSet(.removal(range)), at: path), tree: tree, kind: "remove")
  }

  func moving(_ range: Range<Int>, to destination: Int, in path: IndexPath) -> Edit {
    var tree = self
    let moved = Array(tree[path].children[range])
    tree[path].children.removeSubrange(range)
    tree[path].children.insert(contentsOf: moved, at: destination)
    let change = ChangeSet(.move(range, to: destination))
    return Edit(change: Self.wrap(change, at: path), tree: tree, kind: "move")
  }

  func updating(_ path: IndexPath) -> Edit {
    var tree = self
    tree[path].version += 1
    return Edit(
      change: Self.wrap(ChangeSet(updatesValue: true), at: path), tree: tree, kind: "update")
  }

  /// Every edit of one element, at every path; new elements get the id `fresh`.
  func allEdits(fresh: Int) -> [Edit] {
    allPaths.flatMap { path -> [Edit] in
      let count = self[path].children.count
      let new = ChangeTree(id: fresh, children: [ChangeTree(id: fresh + 1)])
      return (0...count).map { inserting(new, at: $0, in: path) }
        + (0..<count).map { removing($0..<($0 + 1), in: path) }
        + (0..<count).flatMap { source in
          (0..<count).filter { $0 != source }.map { moving(source..<(source + 1), to: $0, in: path) }
        } + [updating(path)]
    }
  }

  /// A tree of `depth` levels below the root, with up to `width` children a node.
  static func random(
    depth: Int, width: Int, nextID: inout Int, using generator: inout some RandomNumberGenerator
  ) -> ChangeTree {
    var tree = ChangeTree(id: nextID)
    nextID += 1
    if depth > 0 {
      for _ in 0..<Int.random(in: 0...width, using: &generator) {
        tree.children.append(random(depth: depth - 1, width: width, nextID: &nextID, using: &generator))
      }
    }
    return tree
  }

  func randomEdit(nextID: inout Int, using generator: inout some RandomNumberGenerator) -> Edit {
    let path = allPaths.randomElement(using: &generator)!
    let count = self[path].children.count
    let some = Int.random(in: 0...min(2, count), using: &generator)
    let position = Int.random(in: 0...(count - some), using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0 where some > 0: return removing(position..<(position + some), in: path)
    case 1 where some > 0:
      return moving(
        position..<(position + some), to: Int.random(in: 0...(count - some), using: &generator), in: path)
    case 2: return updating(path)
    default:
      let new = Self.random(
        depth: Int.random(in: 0...2, using: &generator), width: 2, nextID: &nextID, using: &generator)
      return inserting(new, at: Int.random(in: 0...count, using: &generator), in: path)
    }
  }
}
