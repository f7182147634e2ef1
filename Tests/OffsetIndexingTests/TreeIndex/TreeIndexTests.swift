import OffsetIndexing
import TestSupport
import Testing

/// Returns the depths of every forest of exactly `count` elements, in document order.
private func everyForest(_ count: Int) -> [[Int]] {
  var forests: [[Int]] = [[]]
  for _ in 0..<count {
    forests = forests.flatMap { depths in (0...((depths.last ?? -1) + 1)).map { depths + [$0] } }
  }
  return forests
}

@Suite struct TreeIndexTests {
  @Test(arguments: 0...(TestSeed.isSoak ? 6 : 5))
  func everyEditOfEverySmallForestIsThatOfObjects(count: Int) {
    for depths in everyForest(count) {
      let original = TreeIndexModel(depths: depths, shape: TreeIndexModel.shapes[0])
      #expect(original.complaint() == nil, "\(depths)")
      for edit in TreeIndexEdit.all(of: original) {
        var model = original.copy()
        edit.apply(to: &model)
        let complaint = model.complaint()
        #expect(complaint == nil, "\(depths), \(edit)")
      }
    }
  }

  @Test func everyPairOfEditsOfEverySmallerForestIsThatOfObjects() {
    for depths in (0...(TestSeed.isShortened ? 2 : 3)).flatMap(everyForest) {
      let original = TreeIndexModel(depths: depths, shape: TreeIndexModel.shapes[0])
      for first in TreeIndexEdit.all(of: original) {
        var middle = original.copy()
        first.apply(to: &middle)
        for second in TreeIndexEdit.all(of: middle) {
          var model = middle.copy()
          second.apply(to: &model)
          let complaint = model.complaint()
          #expect(complaint == nil, "\(depths), \(first), \(second)")
        }
      }
      #expect(original.complaint() == nil, "the original of \(depths) changed")
    }
  }

  @Test func randomScriptsAreThoseOfObjects() {
    var made: [Substring: Int] = [:]
    for (number, shape) in TreeIndexModel.shapes.enumerated() {
      for iteration in 0..<TestSeed.iterations(2) {
        var random = TestSeed.generator("TreeIndexTests/scripts/\(number)", iteration: iteration)
        let complaint = script(shape: shape, &made, using: &random)
        #expect(complaint == nil, "shape \(number), iteration \(iteration)")
      }
    }
    for name in TreeIndexEdit.names { #expect(made[name, default: 0] > 0, "no \(name) was made") }
  }

  /// Makes random edits of a forest; returns a fault after one of them, or nil.
  private func script(
    shape: (leafCapacity: Int, fanOut: Int)?, _ made: inout [Substring: Int],
    using random: inout some RandomNumberGenerator
  ) -> String? {
    let limit = shape == nil ? 600 : 120
    var model = TreeIndexModel(depths: [], shape: shape)
    var copy = model.copy()
    for step in 0..<TestSeed.length(150) {
      if step % 40 == 20 { copy = model.copy() }
      let size = model.forests.reduce(0) { $0 + $1.children.count } + model.index.count
      guard let edit = TreeIndexEdit.random(of: model, reach: limit / 20, using: &random) else { continue }
      let grows =
        switch edit {
        case .insertLeaves, .insertBranch, .insertTree: true
        default: false
        }
      if grows && size > limit { continue }
      edit.apply(to: &model)
      made[edit.name, default: 0] += 1
      if let complaint = step % 5 == 0 || shape != nil ? model.complaint() : nil {
        return "step \(step), \(edit): \(complaint)"
      }
    }
    return copy.complaint().map { "a copy changed: \($0)" }
  }

  @Test func everyWayToBuildAForestIsTheSame() {
    for depths in (0...6).flatMap(everyForest) {
      let tree = TreeIndex(depths: depths)
      tree.checkInvariants()
      let places = tree.rows(in: 0..<tree.count).map(\.place)
      #expect(places.map(\.depth) == depths)
      let counts = places.map { $0.branch.map { tree.childCount(of: $0) } ?? 0 }
      let other = TreeIndex(childCounts: counts)
      other.checkInvariants()
      #expect(other.rows(in: 0..<other.count).map(\.place) == places)
      var copy = TreeIndex()
      copy.insert(tree, into: TreeIndex.root, at: 0)
      copy.checkInvariants()
      #expect(copy.rows(in: 0..<copy.count).map(\.place) == places)
    }
  }
}
