@_spi(NodeAuthors) import Assemblage
import Foundation

/// A tree of elements with identities, to which change sets are applied. It is small, plain and recursive.
struct ChangeTree: Hashable, Sendable {
  /// The identity of the element; the root's id is 0.
  var id: Int
  /// The number of updates of the element.
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

  /// The paths of all nodes, the root's path first.
  var allPaths: [IndexPath] {
    [IndexPath()]
      + children.enumerated().flatMap { position, child in
        child.allPaths.map { IndexPath(index: position).appending($0) }
      }
  }

  /// The path of each id.
  var pathsByID: [Int: IndexPath] {
    Dictionary(uniqueKeysWithValues: allPaths.map { (self[$0].id, $0) })
  }

  /// Returns the tree after a replay of `change`, with no other knowledge.
  ///
  /// `fresh` gives the inserted subtree or the updated element at a path after the change.
  func applying(_ change: ChangeSet, fresh: (IndexPath) -> ChangeTree) -> ChangeTree {
    let transfers = Dictionary(uniqueKeysWithValues: change.transfers.map { ($0.destination, $0) })

    /// Returns the child that arrives at a path: a child of another parent, or a new subtree into which others may have
    /// moved.
    func arrived(at path: IndexPath) -> ChangeTree {
      if let transfer = transfers[path] { return survived(self[transfer.source], transfer.change, at: path) }
      var new = fresh(path)
      for position in new.children.indices { new.children[position] = arrived(at: path.appending(position)) }
      return new
    }

    func survived(_ tree: ChangeTree, _ change: ChangeSet, at path: IndexPath) -> ChangeTree {
      var result = tree
      if change.updatesValue {
        result.id = fresh(path).id
        result.version = fresh(path).version
      }
      let map = Delta.PositionMap(change.delta)
      let inside = Dictionary(uniqueKeysWithValues: change.children.map { ($0.position, $0.change) })
      result.children = (0..<(tree.children.count + change.delta.countChange)).map { position in
        guard let old = map.position(before: position) else { return arrived(at: path.appending(position)) }
        // The parent's delta contains the update of the child's own value.
        var below = inside[position] ?? ChangeSet()
        below.updatesValue = change.delta.updates.contains { $0.contains(position) }
        return survived(tree.children[old], below, at: path.appending(position))
      }
      return result
    }
    return survived(self, change, at: [])
  }

  /// Returns the change from this tree to `after`, computed from identities alone. It is the oracle of composing.
  func change(to after: ChangeTree) -> ChangeSet {
    let formerPaths = pathsByID
    let paths = after.pathsByID
    func parents(_ tree: ChangeTree) -> [Int: Int] {
      var parents: [Int: Int] = [:]
      for path in tree.allPaths {
        for child in tree[path].children { parents[child.id] = tree[path].id }
      }
      return parents
    }
    let formerParents = parents(self)
    let parents = parents(after)

    func level(_ former: ChangeTree, _ present: ChangeTree) -> ChangeSet {
      let positions = Dictionary(uniqueKeysWithValues: former.children.enumerated().map { ($1.id, $0) })
      let origins = present.children.map { positions[$0.id] }
      let model = DeltaModel(
        oldCount: former.children.count, origins: origins,
        isUpdated: zip(present.children, origins).map { child, origin in
          origin.map { former.children[$0].version != child.version } ?? false
        })
      let inside = zip(present.children, origins).enumerated().compactMap { position, pair in
        pair.1.map { (position: position, change: level(former.children[$0], pair.0)) }
      }
      return ChangeSet(delta: model.delta, updatesValue: former.version != present.version, children: inside)
    }
    var change = level(self, after)
    let transfers = paths.compactMap { id, path -> ChangeSet.Transfer? in
      guard let former = formerPaths[id], formerParents[id] != parents[id] else { return nil }
      return ChangeSet.Transfer(from: former, to: path, change: level(self[former], after[path]))
    }
    if !transfers.isEmpty {
      change = ChangeSet(
        delta: change.delta, updatesValue: change.updatesValue,
        children: change.children.map { ($0.position, $0.change) }, transfers: transfers)
    }
    return change
  }

  /// Returns the paths of the change from this tree to `after`, without moves, computed from identities alone.
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

  /// One edit of a tree: the change set that reports the edit, and the tree afterwards.
  struct Edit {
    var change: ChangeSet
    var tree: ChangeTree
    var kind: String
  }

  /// Returns `change` of the node at `path`, as the root reports it.
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

  /// Moves one node to another parent; `destination` is a path in the tree without the node.
  func relocating(_ source: IndexPath, to destination: IndexPath) -> Edit {
    var tree = self
    let moved = tree[source]
    let position = source.last!
    tree[source.dropLast()].children.remove(at: position)
    let goal = destination.last!
    tree[destination.dropLast()].children.insert(moved, at: goal)
    let removal = Self.wrap(ChangeSet(.removal(position..<position + 1)), at: source.dropLast())
    let insertion = Self.wrap(ChangeSet(.insertion(goal..<goal + 1)), at: destination.dropLast())
    let levels = removal.composed(with: insertion)
    let change = ChangeSet(
      delta: levels.delta, children: levels.children.map { ($0.position, $0.change) },
      transfers: [ChangeSet.Transfer(from: source, to: destination)])
    return Edit(change: change, tree: tree, kind: "relocate")
  }

  /// Returns every place under another parent to which the node at `source` can move.
  func relocations(of source: IndexPath) -> [IndexPath] {
    guard !source.isEmpty else { return [] }
    var rest = self
    let parent = rest[source.dropLast()].id
    rest[source.dropLast()].children.remove(at: source.last!)
    return rest.allPaths.filter { rest[$0].id != parent }.flatMap { path in
      (0...rest[path].children.count).map { path.appending($0) }
    }
  }

  func updating(_ path: IndexPath) -> Edit {
    var tree = self
    tree[path].version += 1
    return Edit(
      change: Self.wrap(ChangeSet(updatesValue: true), at: path), tree: tree, kind: "update")
  }

  /// Returns every edit of one element, at every path. A new element has the id `fresh`, and its child has the next id.
  func allEdits(fresh: Int) -> [Edit] {
    allPaths.flatMap { path -> [Edit] in
      let count = self[path].children.count
      let new = ChangeTree(id: fresh, children: [ChangeTree(id: fresh + 1)])
      return (0...count).map { inserting(new, at: $0, in: path) }
        + (0..<count).map { removing($0..<($0 + 1), in: path) }
        + (0..<count).flatMap { source in
          (0..<count).filter { $0 != source }.map { moving(source..<(source + 1), to: $0, in: path) }
        } + [updating(path)] + relocations(of: path).map { relocating(path, to: $0) }
    }
  }

  /// Returns a random tree of `depth` levels below the root, with up to `width` children a node.
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
    switch Int.random(in: 0..<6, using: &generator) {
    case 4, 5:
      guard let goal = relocations(of: path).randomElement(using: &generator) else { return updating(path) }
      return relocating(path, to: goal)
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
