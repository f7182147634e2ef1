extension Suite {
  /// Forests in which each branch has ten children, and chains (`chain-…`), in which each element has one child.
  static var treeIndex: Suite {
    Suite(
      "tree-index", of: TreeIndexShape.works(), NestedArrays.works(), DepthArray.works(),
      TreeIndexShape.works(isChain: true), NestedArrays.works(isChain: true), DepthArray.works(isChain: true))
  }
}

extension ForestShaping {
  @WorkList @inline(__always)
  fileprivate static func works(isChain: Bool = false) -> [Work] {
    work(name("build", isChain)) { context in
      let depths = depths(context, isChain)
      return Trial(depths, elementsPerOperation: context.n, byteCount: Self(depths: depths).byteCount, each: build)
    }
    work(name("locate", isChain)) { context in
      let shape = Self(depths: depths(context, isChain))
      return Trial((shape, context.places())) { state, operations in
        total(operations) { state.0.locate(state.1.next()) }
      }
    }
    atBranches("number-of-branch", isChain, NumberOfBranch.self)
    atBranches("child-position", isChain, PositionOfBranch.self)
    work(name("path", isChain)) { context in
      let shape = Self(depths: depths(context, isChain))
      return Trial((shape, context.places())) { state, operations in
        total(operations) { state.0.path(to: state.1.next()) }
      }
    }
    atBranches("insert-leaf", isChain, InsertLeaf.self, undo: RemoveLeaf.self)
    atBranches("remove-leaf", isChain, RemoveLeaf.self, undo: InsertLeaf.self, before: InsertLeaf.self)
    atBranches("cut-paste", isChain, CutAndPaste.self)
    work(name("scan", isChain)) { context in
      Trial(Self(depths: depths(context, isChain)), elementsPerOperation: context.n) { $0.scan() }
    }
  }

  private static func name(_ operation: String, _ isChain: Bool) -> String { (isChain ? "chain-" : "") + operation }

  private static func depths(_ context: Context, _ isChain: Bool) -> [Int32] {
    isChain ? (0..<Int32(context.n)).map { $0 } : TreeIndexShape.wide(context.n)
  }

  /// A task at a random branch. `before` runs at all branches first, and `undo` runs outside the timer. In a forest
  /// without a branch, no task runs.
  ///
  /// Tasks are types, so that they are compiled for each shape. The call of a closure would retain the closure.
  @inline(__always)
  private static func atBranches<Task: ShapeTask, Undo: ShapeTask, Before: ShapeTask>(
    _ operation: String, _ isChain: Bool, _: Task.Type, undo: Undo.Type = Nothing.self,
    before: Before.Type = Nothing.self
  ) -> Work {
    work(name(operation, isChain)) { context in
      let depths = depths(context, isChain)
      let rounds = Rounds(depths, &context)
      var shape = Self(depths: depths)
      if !rounds.isEmpty { for branch in rounds.places { _ = Before.run(&shape, Int(branch)) } }
      return Trial(
        (shape, rounds), mostOperations: min(rounds.places.count, max(1, context.n / 4)),
        reset: { state, operations in
          if !state.1.isEmpty { for _ in 0..<operations { _ = Undo.run(&state.0, state.1.takeBack()) } }
        },
        run: { state, operations in
          state.1.isEmpty ? 0 : total(operations) { Task.run(&state.0, state.1.take()) }
        })
    }
  }
}

/// The places of all branches among the branches, in a random order. Their number is limited as for `Places`, and no
/// place occurs twice in a round. The places are given out one after another, and returned.
private struct Rounds {
  let places: [UInt32]
  /// Whether the forest has no branch.
  let isEmpty: Bool
  private var next = 0

  init(_ depths: [Int32], _ context: inout Context) {
    let count = zip(depths, depths.dropFirst()).reduce(0) { $0 + ($1.1 > $1.0 ? 1 : 0) }
    var places = (0..<UInt32(max(1, count))).map { $0 }
    places.shuffle(using: &context.generator)
    self.places = Array(places.prefix(Places.count))
    isEmpty = count == 0
  }

  @inline(__always)
  mutating func take() -> Int {
    next = next &+ 1 == places.count ? 0 : next &+ 1
    return Int(places[next])
  }

  mutating func takeBack() -> Int {
    defer { next = next == 0 ? places.count - 1 : next - 1 }
    return Int(places[next])
  }
}

/// The work at a branch of a forest.
private protocol ShapeTask {
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int
}

private enum Nothing: ShapeTask {
  @inline(__always)
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int { 0 }
}

private enum NumberOfBranch: ShapeTask {
  @inline(__always)
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int { shape.number(ofBranch: branch) }
}

private enum PositionOfBranch: ShapeTask {
  @inline(__always)
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int { shape.position(ofBranch: branch) }
}

private enum InsertLeaf: ShapeTask {
  @inline(__always)
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int {
    shape.insertLeaf(intoBranch: branch)
    return 1
  }
}

private enum RemoveLeaf: ShapeTask {
  @inline(__always)
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int {
    shape.removeLeaf(ofBranch: branch)
    return 1
  }
}

private enum CutAndPaste: ShapeTask {
  @inline(__always)
  static func run(_ shape: inout some ForestShaping, _ branch: Int) -> Int {
    shape.cutAndPaste(branch)
    return 1
  }
}
