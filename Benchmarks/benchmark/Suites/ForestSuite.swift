import Foundation

extension Suite {
  /// A tree of fan-out 10 with n values that is edited by index path, with one observer: of objects, and of integers
  /// (`<Int>`).
  static var forest: Suite {
    Suite("forest") {
      Operation(
        "build", build(ForestSubject<NamedObject>.self), build(BranchesSubject<NamedObject>.self),
        build(NestedValues<NamedObject>.self), build(ForestSubject<Int>.self), build(BranchesSubject<Int>.self),
        build(NestedValues<Int>.self))
      operation("element", ReadElement.self)
      operation("insert-deepest", InsertLast.self, in: .deepest, undo: RemoveLast.self)
      operation("insert-random", InsertLast.self, undo: RemoveLast.self)
      operation("remove-deepest", RemoveLast.self, in: .deepest, undo: InsertLast.self, before: InsertLast.self)
      operation("remove-random", RemoveLast.self, undo: InsertLast.self, before: InsertLast.self)
      operation("update-deepest", UpdateFirst.self, in: .deepest)
      operation("update-random", UpdateFirst.self)
      operation("move", MoveThereAndBack.self)
      Operation(
        "scan", scan(ForestSubject<NamedObject>.self), scan(BranchesSubject<NamedObject>.self),
        scan(NestedValues<NamedObject>.self), scan(ForestSubject<Int>.self), scan(BranchesSubject<Int>.self),
        scan(NestedValues<Int>.self))
    }
  }

  /// Which folders an operation is about.
  private enum Folders { case random, deepest }

  /// A place where something is done.
  fileprivate struct Site {
    /// The first child of a folder.
    var first: IndexPath
    /// The place behind the children of a folder.
    var last: IndexPath
    /// A child that is the last one of its parent, and a place for it behind the children of another folder.
    var move: (source: IndexPath, destination: IndexPath)?
  }

  // Each of these is inlined, so that its closures are compiled for the subject's type.

  @inline(__always)
  private static func operation<Task: TreeTask>(
    _ name: String, _: Task.Type, in folders: Folders = .random
  ) -> Operation { operation(name, Task.self, in: folders, undo: Rest.self) }

  @inline(__always)
  private static func operation<Task: TreeTask, Undo: TreeTask>(
    _ name: String, _: Task.Type, in folders: Folders = .random, undo: Undo.Type
  ) -> Operation { operation(name, Task.self, in: folders, undo: Undo.self, before: Rest.self) }

  @inline(__always)
  private static func operation<Task: TreeTask, Undo: TreeTask, Before: TreeTask>(
    _ name: String, _: Task.Type, in folders: Folders = .random, undo: Undo.Type, before: Before.Type
  ) -> Operation {
    Operation(
      name: name,
      subjects: [
        edit(ForestSubject<NamedObject>.self, folders, Task.self, Undo.self, Before.self),
        edit(BranchesSubject<NamedObject>.self, folders, Task.self, Undo.self, Before.self),
        edit(NestedValues<NamedObject>.self, folders, Task.self, Undo.self, Before.self),
        edit(ForestSubject<Int>.self, folders, Task.self, Undo.self, Before.self),
        edit(BranchesSubject<Int>.self, folders, Task.self, Undo.self, Before.self),
        edit(NestedValues<Int>.self, folders, Task.self, Undo.self, Before.self),
      ])
  }

  @inline(__always)
  private static func build<Tree: TreeHolding>(_: Tree.Type) -> Subject {
    Subject(Tree.self) { context in
      let tree = NumberedTree(n: context.n)
      let bytes = Tree(tree) {}.byteCount.map { Double($0) / Double(context.n) }
      return Trial(tree, elementsPerOperation: context.n, bytesPerElement: bytes) { tree in
        let held = Tree(tree) {}
        return held.element(at: [0])
      }
    }
  }

  @inline(__always)
  private static func scan<Tree: TreeHolding>(_: Tree.Type) -> Subject {
    Subject(Tree.self) { context in
      Trial(Tree(NumberedTree(n: context.n)) {}, elementsPerOperation: context.n) { $0.scan() }
    }
  }

  @inline(__always)
  private static func edit<Tree: TreeHolding, Task: TreeTask, Undo: TreeTask, Before: TreeTask>(
    _: Tree.Type, _ folders: Folders, _: Task.Type, _: Undo.Type, _: Before.Type
  ) -> Subject {
    Subject(Tree.self) { context in
      let sites = sites(&context, folders)
      let heard = Tally()
      var tree = Tree(NumberedTree(n: context.n)) { heard.count &+= 1 }
      let element = Tree.Element(number: -1)
      for site in sites { _ = Before.run(&tree, site, element) }
      return Trial(
        (tree, sites, 0), mostOperations: min(sites.count, max(1, context.n / 4)),
        reset: { state, operations in
          for _ in 0..<operations {
            state.2 = state.2 == 0 ? state.1.count - 1 : state.2 - 1
            _ = Undo.run(&state.0, state.1[state.2], element)
          }
        },
        run: { state, operations in
          var sum = heard.count
          for _ in 0..<operations {
            sum &+= Task.run(&state.0, state.1[state.2], element)
            state.2 = state.2 &+ 1 == state.1.count ? 0 : state.2 &+ 1
          }
          return sum
        })
    }
  }

  /// Not more than some, so that the paths do not take the tree's place in the caches.
  private static func sites(_ context: inout Context, _ folders: Folders) -> [Site] {
    let tree = NumberedTree(n: context.n)
    let deepest = (tree.folders.count + 8) / 10..<tree.folders.count
    let range = folders == .deepest && !deepest.isEmpty ? deepest : tree.folders
    // Each folder once: what one operation inserts another must not find.
    var numbers = Set<Int>()
    while numbers.count < min(4096, range.count) { numbers.insert(Int.random(in: range, using: &context.generator)) }
    return numbers.sorted().shuffled(using: &context.generator).map { number in
      let (path, count) = (tree.path(of: number), tree.children(of: number).count)
      // The tenth child of a folder is its last one.
      let source = 10 * Int.random(in: 1...max(1, tree.n / 10), using: &context.generator)
      let from = tree.path(of: min(source, tree.n))
      let isApart = source <= tree.n && !path.starts(with: from) && Array(from.dropLast()) != path
      return Site(
        first: IndexPath(indexes: path + [0]), last: IndexPath(indexes: path + [count]),
        move: isApart ? (IndexPath(indexes: from), IndexPath(indexes: path + [count])) : nil)
    }
  }

  private final class Tally {
    var count = 0
  }
}

/// What is done at a place of a tree.
private protocol TreeTask {
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int
}

private enum Rest: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int { 0 }
}

private enum ReadElement: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int {
    tree.element(at: site.first)
  }
}

private enum InsertLast: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int {
    tree.insert(element, at: site.last)
    return 1
  }
}

private enum RemoveLast: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int {
    tree.remove(at: site.last)
    return 1
  }
}

private enum UpdateFirst: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int {
    tree.replace(at: site.first, with: element)
    return 1
  }
}

/// Two moves.
private enum MoveThereAndBack: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Suite.Site, _ element: Tree.Element) -> Int {
    guard let (source, destination) = site.move else { return 0 }
    tree.move(from: source, to: destination)
    return 1
  }
}
