extension Suite {
  /// Forests in which each branch has ten children, and chains (`chain-…`), in which each element has one.
  static var treeIndex: Suite {
    Suite(name: "tree-index", operations: operations("", isChain: false) + operations("chain-", isChain: true))
  }

  private static func operations(_ prefix: String, isChain: Bool) -> [Operation] {
    [
      Operation(
        name: prefix + "build",
        subjects: [
          build(TreeIndexShape.self, isChain, TreeIndexShape.build),
          build(NestedArrays.self, isChain, NestedArrays.build),
          build(DepthArray.self, isChain, DepthArray.build),
        ]),
      Operation(
        name: prefix + "locate",
        subjects: [
          locate(TreeIndexShape.self, isChain), locate(NestedArrays.self, isChain), locate(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "number-of-branch",
        subjects: [
          number(TreeIndexShape.self, isChain), number(NestedArrays.self, isChain), number(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "child-position",
        subjects: [
          position(TreeIndexShape.self, isChain), position(NestedArrays.self, isChain),
          position(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "path",
        subjects: [
          path(TreeIndexShape.self, isChain), path(NestedArrays.self, isChain), path(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "insert-leaf",
        subjects: [
          insert(TreeIndexShape.self, isChain), insert(NestedArrays.self, isChain), insert(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "remove-leaf",
        subjects: [
          remove(TreeIndexShape.self, isChain), remove(NestedArrays.self, isChain), remove(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "cut-paste",
        subjects: [
          cutPaste(TreeIndexShape.self, isChain), cutPaste(NestedArrays.self, isChain),
          cutPaste(DepthArray.self, isChain),
        ]),
      Operation(
        name: prefix + "scan",
        subjects: [
          scan(TreeIndexShape.self, isChain), scan(NestedArrays.self, isChain), scan(DepthArray.self, isChain),
        ]),
    ]
  }

  private static func depths(_ context: Context, _ isChain: Bool) -> [Int32] {
    isChain ? (0..<Int32(context.n)).map { $0 } : TreeIndexShape.wide(context.n)
  }

  /// The places of all branches among them, in a random order, as many as there are places for: none comes twice in a
  /// round.
  private static func branches(_ depths: [Int32], _ context: inout Context) -> Rounds {
    let count = zip(depths, depths.dropFirst()).reduce(0) { $0 + ($1.1 > $1.0 ? 1 : 0) }
    var places = (0..<UInt32(max(1, count))).map { $0 }
    places.shuffle(using: &context.generator)
    return Rounds(places: Array(places.prefix(Places.count)), isEmpty: count == 0)
  }

  /// Places that are handed out one after another, and taken back.
  private struct Rounds {
    let places: [UInt32]
    /// Whether there is no branch at all.
    let isEmpty: Bool
    private var next = 0

    init(places: [UInt32], isEmpty: Bool) {
      self.places = places
      self.isEmpty = isEmpty
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

  // Each of these is inlined into the list above, so that its closures are compiled for the subject's type.

  @inline(__always)
  private static func build<Shape: ForestShaping>(
    _: Shape.Type, _ isChain: Bool, _ build: @escaping ([Int32]) -> Int
  ) -> Subject {
    Subject(Shape.self) { context in
      let depths = depths(context, isChain)
      let bytes = Shape(depths: depths).byteCount.map { Double($0) / Double(context.n) }
      return Trial(depths, elementsPerOperation: context.n, bytesPerElement: bytes, each: build)
    }
  }

  @inline(__always)
  private static func locate<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    Subject(Shape.self) { context in
      let shape = Shape(depths: depths(context, isChain))
      return Trial((shape, context.places())) { state, operations in
        total(operations) { state.0.locate(state.1.next()) }
      }
    }
  }

  @inline(__always)
  private static func path<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    Subject(Shape.self) { context in
      let shape = Shape(depths: depths(context, isChain))
      return Trial((shape, context.places())) { state, operations in
        total(operations) { state.0.path(to: state.1.next()) }
      }
    }
  }

  /// A task at a random branch; `before` is done at all branches first, and `undo` outside the timer. A forest
  /// without any branch does nothing. Tasks are types, so that they are compiled for each shape: a call of a closure
  /// would retain it.
  @inline(__always)
  private static func atBranches<Shape: ForestShaping, Task: ShapeTask, Undo: ShapeTask, Before: ShapeTask>(
    _: Shape.Type, _ isChain: Bool, _: Task.Type, undo: Undo.Type, before: Before.Type
  ) -> Subject {
    Subject(Shape.self) { context in
      let depths = depths(context, isChain)
      let rounds = branches(depths, &context)
      var shape = Shape(depths: depths)
      if !rounds.isEmpty { for branch in rounds.places { _ = Before.run(&shape, Int(branch)) } }
      return Trial(
        (shape, rounds), mostOperations: min(rounds.places.count, max(1, context.n / 4)),
        reset: { state, operations in
          if !state.1.isEmpty { for _ in 0..<operations { _ = Undo.run(&state.0, state.1.takeBack()) } }
        },
        run: { state, operations in
          if state.1.isEmpty { return 0 }
          return total(operations) { Task.run(&state.0, state.1.take()) }
        })
    }
  }

  @inline(__always)
  private static func number<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    atBranches(Shape.self, isChain, NumberOfBranch.self, undo: Nothing.self, before: Nothing.self)
  }

  @inline(__always)
  private static func position<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    atBranches(Shape.self, isChain, PositionOfBranch.self, undo: Nothing.self, before: Nothing.self)
  }

  @inline(__always)
  private static func insert<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    atBranches(Shape.self, isChain, InsertLeaf.self, undo: RemoveLeaf.self, before: Nothing.self)
  }

  @inline(__always)
  private static func remove<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    atBranches(Shape.self, isChain, RemoveLeaf.self, undo: InsertLeaf.self, before: InsertLeaf.self)
  }

  @inline(__always)
  private static func cutPaste<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    atBranches(Shape.self, isChain, CutAndPaste.self, undo: Nothing.self, before: Nothing.self)
  }

  @inline(__always)
  private static func scan<Shape: ForestShaping>(_: Shape.Type, _ isChain: Bool) -> Subject {
    Subject(Shape.self) { context in
      Trial(Shape(depths: depths(context, isChain)), elementsPerOperation: context.n) { $0.scan() }
    }
  }
}

/// What is done at a branch of a forest.
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
