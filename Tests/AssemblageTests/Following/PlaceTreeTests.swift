@testable import Assemblage
import TestSupport
import Testing

/// Places in a tree that is edited at random, compared with the paths that a walk finds.
@Suite struct PlaceTreeTests {
  /// The ids of the elements at kept places, and the result of the last walk.
  private struct Model {
    var kept: [Int: Int] = [:]
    var walked: WalkedTree

    /// The paths of the kept places and of the places above them, including the root's.
    var paths: Set<[Int]> {
      kept.values.reduce(into: [[]]) { paths, id in
        let path = walked.paths[id]!
        for length in 0...path.count { paths.insert(Array(path.prefix(length))) }
      }
    }

    func check(_ tree: PlaceTree) throws {
      tree.checkInvariants()
      for (place, id) in kept {
        let path = walked.paths[id]!
        try #require(tree.path(of: place) == path && tree.place(at: path) == place && tree.isKept(place))
        try #require(tree.position(of: place) == path.last && tree.path(of: tree.parent(of: place)) == path.dropLast())
      }
      let paths = paths
      try #require(tree.count == paths.count)
      for path in paths {
        let place = try #require(tree.place(at: path))
        let below = paths.filter { $0.count == path.count + 1 && $0.starts(with: path) }.map(\.last!).sorted()
        let children = tree.children(of: place)
        try #require(children.map { tree.position(of: $0) } == below)
        let half = 0..<(below.last ?? 0)
        try #require(tree.places(in: half, of: place) == children.dropLast())
      }
    }
  }

  @Test(arguments: [PlaceTree.Scope.knownPlaces, .everywhere])
  func placesFollowTheirElements(scope: PlaceTree.Scope) throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("place tree \(scope)", iteration: iteration)
      let script = TreeScript(&generator)
      var changes: [ChangeSet] = []
      let token = script.root.observe { changes.append($0) }
      var tree = PlaceTree()
      var model = Model(walked: WalkedTree(script.root))
      for _ in 0..<TestSeed.length(40) {
        if let (id, path) = model.walked.paths.sorted(by: { $0.key < $1.key }).randomElement(using: &generator) {
          let place = tree.makePlace(at: path)
          tree.keep(place)
          model.kept[place] = id
        }
        if generator.chance(1, in: 3), let place = model.kept.keys.sorted().randomElement(using: &generator) {
          tree.release(place)
          model.kept[place] = nil
        }
        try model.check(tree)
        script.step(using: &generator)
        let former = model.walked
        model.walked = WalkedTree(script.root)
        for change in changes { try follow(change, scope, from: former, &tree, &model) }
        changes = []
        try model.check(tree)
      }
      token.cancel()
    }
  }

  private func follow(
    _ change: ChangeSet, _ scope: PlaceTree.Scope, from former: WalkedTree, _ tree: inout PlaceTree,
    _ model: inout Model
  ) throws {
    let outcome = tree.apply(change, in: scope)
    for loss in outcome.losses {
      let path = tree.path(of: loss.parent)
      let parent = model.walked.paths.first { $0.value == path }?.key
      for id in loss.places.compactMap({ model.kept[$0] }) {
        let siblings = former.children[parent]!
        let index = siblings.firstIndex(of: id)!
        let remaining = model.walked.children[parent] ?? []
        let next = siblings[index...].lazy.compactMap { remaining.firstIndex(of: $0) }.first
        let previous = siblings[..<index].reversed().lazy.compactMap { remaining.firstIndex(of: $0) }.first
        try #require(loss.next == next ?? remaining.count && loss.previous == previous)
      }
      for place in loss.places.flatMap({ tree.discard($0) }) {
        let id = model.kept.removeValue(forKey: place)!
        try #require(model.walked.paths[id] == nil, "\(id) is still there")
      }
    }
    for transfer in outcome.transfers { try #require(tree.parent(of: transfer.place) == transfer.parent) }
    for (parent, range) in outcome.arrivals {
      let path = tree.path(of: parent)
      let parent = model.walked.paths.first { $0.value == path }?.key
      for id in model.walked.children[parent]![range] {
        try #require(former.parents[id] != .some(parent), "\(id) was there before")
      }
    }
    tree.prune(outcome)
  }
}
