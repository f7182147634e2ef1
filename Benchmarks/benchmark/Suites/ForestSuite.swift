import Foundation

extension Suite {
  /// A tree of fan-out 10 with n values, which is edited by index path, with one observer. The values are objects, or
  /// integers (`<Int>`).
  static var forest: Suite {
    Suite(
      "forest", of: ForestSubject<NamedObject>.works, BranchesSubject<NamedObject>.works,
      NestedValues<NamedObject>.works, ForestSubject<Int>.works, BranchesSubject<Int>.works, NestedValues<Int>.works)
  }
}

extension TreeHolding {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    work("build") { context in
      let tree = NumberedTree(n: context.n)
      return Trial(tree, elementsPerOperation: context.n, byteCount: Self(tree) {}.byteCount) { tree in
        let held = Self(tree) {}
        return held.element(at: [0])
      }
    }
    edit("element", ReadElement.self)
    edit("insert-deepest", InsertLast.self, in: .deepest, undo: RemoveLast.self)
    edit("insert-random", InsertLast.self, undo: RemoveLast.self)
    edit("remove-deepest", RemoveLast.self, in: .deepest, undo: InsertLast.self, before: InsertLast.self)
    edit("remove-random", RemoveLast.self, undo: InsertLast.self, before: InsertLast.self)
    edit("update-deepest", UpdateFirst.self, in: .deepest)
    edit("update-random", UpdateFirst.self)
    edit("move", MoveThereAndBack.self)
    work("scan") { context in
      Trial(Self(NumberedTree(n: context.n)) {}, elementsPerOperation: context.n) { $0.scan() }
    }
  }

  /// An edit in some folders. `before` runs in all folders first, and `undo` runs outside the timer.
  @inline(__always)
  private static func edit<Task: TreeTask, Undo: TreeTask, Before: TreeTask>(
    _ operation: String, _: Task.Type, in folders: Folders = .random, undo: Undo.Type = Rest.self,
    before: Before.Type = Rest.self
  ) -> Work {
    work(operation) { context in
      let sites = Site.random(&context, folders)
      let received = Heard()
      var tree = Self(NumberedTree(n: context.n)) { received.sum &+= 1 }
      let element = Element(-1)
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
          var sum = received.sum
          for _ in 0..<operations {
            sum &+= Task.run(&state.0, state.1[state.2], element)
            state.2 = state.2 &+ 1 == state.1.count ? 0 : state.2 &+ 1
          }
          return sum
        })
    }
  }
}

/// The folders of an operation.
private enum Folders { case random, deepest }

/// The place of a task.
private struct Site {
  /// The first child of a folder.
  var first: IndexPath
  /// The place behind the children of a folder.
  var last: IndexPath
  /// A child that is the last child of its parent, and a place behind the children of another folder.
  var move: (source: IndexPath, destination: IndexPath)?

  /// Makes a limited number of sites, so that the paths do not displace the tree from the caches.
  static func random(_ context: inout Context, _ folders: Folders) -> [Site] {
    let tree = NumberedTree(n: context.n)
    let deepest = (tree.folders.count + 8) / 10..<tree.folders.count
    let range = folders == .deepest && !deepest.isEmpty ? deepest : tree.folders
    // Each folder occurs once, so that no operation finds the elements that another one inserted.
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
}

/// The work at a place of a tree.
private protocol TreeTask {
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int
}

private enum Rest: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int { 0 }
}

private enum ReadElement: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int {
    tree.element(at: site.first)
  }
}

private enum InsertLast: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int {
    tree.insert(element, at: site.last)
    return 1
  }
}

private enum RemoveLast: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int {
    tree.remove(at: site.last)
    return 1
  }
}

private enum UpdateFirst: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int {
    tree.replace(at: site.first, with: element)
    return 1
  }
}

/// Moves a child to another folder and back.
private enum MoveThereAndBack: TreeTask {
  @inline(__always)
  static func run<Tree: TreeHolding>(_ tree: inout Tree, _ site: Site, _ element: Tree.Element) -> Int {
    guard let (source, destination) = site.move else { return 0 }
    tree.move(from: source, to: destination)
    return 1
  }
}
