import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct BranchNodeTests {
  @Test func theExampleHolds() {
    let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
    #expect(home[[1]] == "notes")
    #expect(home[[1, 0]] == "a.md")
    #expect(home[[]] == "home")
    var insertions: [IndexPath] = []
    let token = home.observe { insertions += $0.paths.insertions }
    notes.append(.leaf("c.md"))
    #expect(insertions == [[1, 2]])
    token.cancel()
  }

  @Test func itIsMadeOfNodesLeavesOrBoth() {
    let array = ArrayNode([1])
    #expect(BranchNode<Int>().isEmpty)
    #expect(BranchNode(leaves: 0..<3).elements == [0, 1, 2])
    #expect(BranchNode([array, array]).elements.isEmpty)
    #expect(BranchNode([array, array]).count == 2)
    let mixed = BranchNode(value: 9, [.leaf(5), .node(array), .node(BranchNode(value: 7, leaves: []))])
    #expect(mixed.value == 9 && mixed.elements == [5, 7])
    #expect((0..<3).map { mixed.element(at: $0) } == [5, nil, 7])
    #expect(mixed.child(at: 0) == nil && mixed.child(at: 1) === array && mixed.child(at: 3) == nil)
    #expect(mixed[0].value == 5 && mixed[0].node == nil && mixed[1].node === array && mixed[1].value == nil)
    #expect("\(mixed)" == "BranchNode 9 [5, (1 child), 7 (0 children)]")
  }

  // MARK: Edits

  @Test func anObjectThatStandsInManyPlacesIsUpdatedAtOnce() throws {
    struct Stop: Error {}
    let node = BranchNode([.leaf(1), .node(ArrayNode([1])), .leaf(1), .leaf(2), .leaf(3)])
    var received: [ChangeSet] = []
    let token = node.observe { received.append($0) }
    let undo = UndoLog(of: node)
    node.update { $0 == 1 }
    let updates = ChangeSet(Delta(updates: [0..<1, 2..<3]))
    #expect(received == [updates])
    node.update { $0 == 7 }
    #expect(throws: Stop.self) {
      try node.update { element throws(Stop) in
        if element == 3 { throw Stop() }
        return true
      }
    }
    #expect(throws: Stop.self) {
      try node.performUpdates {
        node.update { $0 == 1 }
        throw Stop()
      }
    }
    #expect(received == [updates])
    undo.undo()
    #expect(received == [updates, updates] && node.elements == [1, 1, 2, 3])
    token.cancel()
  }

  private func expect(
    _ delta: Delta?, sourceLocation: SourceLocation = #_sourceLocation, leaving after: [Int],
    _ edit: (BranchNode<Int>) -> Void
  ) {
    let branch = BranchNode(leaves: 0..<4)
    var received: [ChangeSet] = []
    let token = branch.observe { received.append($0) }
    edit(branch)
    #expect(branch.elements == after, sourceLocation: sourceLocation)
    #expect(received == (delta.map { [ChangeSet($0)] } ?? []), sourceLocation: sourceLocation)
    token.cancel()
  }

  @Test func everyEditIsDelivered() {
    expect(.insertion(4..<5), leaving: [0, 1, 2, 3, 9]) { $0.append(.leaf(9)) }
    expect(.insertion(0..<1), leaving: [9, 0, 1, 2, 3]) { $0.insert(.leaf(9), at: 0) }
    expect(.insertion(4..<5), leaving: [0, 1, 2, 3]) { $0.append(ArrayNode([9])) }
    expect(.insertion(2..<3), leaving: [0, 1, 9, 2, 3]) { $0.insert(9, at: 2) }
    expect(.removal(3..<4), leaving: [0, 1, 2]) { #expect($0.remove(at: 3).value == 3) }
    expect(.removal(0..<1), leaving: [1, 2, 3]) { #expect($0.remove(at: 0).value == 0) }
    expect(.move(0..<1, to: 2), leaving: [1, 2, 0, 3]) { $0.move(from: 0, to: 2) }
    expect(nil, leaving: [0, 1, 2, 3]) { $0.move(from: 2, to: 2) }
    expect(.update(1..<2), leaving: [0, 9, 2, 3]) { $0.replace(at: 1, with: 9) }
    let exchange = Delta(removals: [1..<2], insertions: [1..<2])
    expect(exchange, leaving: [0, 9, 2, 3]) { $0.replace(at: 1, with: .leaf(9)) }
    expect(exchange, leaving: [0, 9, 2, 3]) { $0[1] = .leaf(9) }
    expect(exchange, leaving: [0, 2, 3]) { $0[1] = .node(ArrayNode([9])) }
  }

  @Test func theOwnValueIsReported() {
    let inner = BranchNode(value: "inner", leaves: ["a"])
    let outer = BranchNode([.leaf("x"), .node(inner)])
    var heardInner: [ChangeSet] = []
    var heardOuter: [ChangeSet] = []
    let tokens = [inner.observe { heardInner.append($0) }, outer.observe { heardOuter.append($0) }]
    inner.value = "renamed"
    inner.value = nil
    #expect(heardInner == [ChangeSet(updatesValue: true), ChangeSet(updatesValue: true)])
    #expect(heardOuter == [ChangeSet(.update(1..<2)), ChangeSet(.update(1..<2))])
    // By a path through the parent: the branch's value is replaced, not its place.
    outer.replace(at: [1], with: "again")
    #expect(inner.value == "again" && outer[[1]] == "again")
    #expect(outer.child(at: 1) === inner && heardOuter.last == ChangeSet(.update(1..<2)))
    for token in tokens { token.cancel() }
  }

  @Test func changesArriveBelowTheChildWhereverItWent() {
    let array = ArrayNode(["a"])
    let branch = BranchNode([.leaf("x"), .node(array), .leaf("y")])
    var received: [ChangeSet.Paths] = []
    let token = branch.observe { received.append($0.paths) }
    branch.performUpdates {
      array.append("b")
      branch.move(from: 1, to: 0)
      array.append("c")
    }
    #expect(received.last?.insertions == [[0, 1], [0, 2]])
    // The node and the leaf exchange places, so either of them moves.
    #expect(received.last?.moves.count == 1)
    branch.performUpdates {
      array.remove(at: 0)
      branch.remove(at: 0)
      array.remove(at: 0)
    }
    #expect(received.last?.removals == [[0]])
    array.append("d")
    #expect(received.count == 2, "a node that was taken out concerns nobody")
    branch.append(array)
    array.append("e")
    #expect(received.last?.insertions == [[2, 2]])
    token.cancel()
  }

  @Test func oneNodeInSeveralPlaces() {
    let array = ArrayNode([1])
    let branch = BranchNode([array, array])
    var received: [[IndexPath]] = []
    let token = branch.observe { received.append($0.paths.insertions) }
    array.append(2)
    #expect(received == [[[0, 1], [1, 1]]])
    branch.remove(at: 0)
    array.append(3)
    #expect(received.last == [[0, 2]])
    branch.replace(at: 0, with: .node(array))
    array.append(4)
    #expect(received.last == [[0, 3]])
    token.cancel()
  }

  @Test func aChildThatIsReplacedByItselfIsStillReceived() {
    let array = ArrayNode([1])
    let branch = BranchNode([array])
    branch[0] = .node(array)
    var changes = 0
    let token = branch.observe { _ in changes += 1 }
    array.append(2)
    #expect(changes == 1)
    token.cancel()
  }

  /// Every forest of up to four nodes below a branch, every edit at every path, followed by change sets.
  @Test func everyEditOfEveryShortForest() throws {
    for forest in Exhaustive.forests(upTo: 4) {
      for edit in forest.everyEdit(leaf: 99) {
        // Moves between parents are no edits of a branch.
        if case .move(let source, let target) = edit {
          guard source.dropLast() == target.dropLast() else { continue }
        }
        if case .update(_, let path) = edit, path.isEmpty { continue }
        let root = makeBranch(forest)
        let shadow = ShadowTree(of: root, id: \.id)
        var model = forest
        edit.apply(to: &model)
        switch edit {
        case .insert(let number, let path):
          // A leaf has no node that can get a child.
          guard let parent = root.child(at: path.dropLast()) else { continue }
          parent.insert(Row(id: number), at: [path[path.count - 1]])
        case .remove(let path): root.remove(at: path)
        case .update(let number, let path): root.replace(at: path, with: Row(id: number))
        case .move(let source, let target): root.move(from: source, to: target)
        }
        #expect(numbers(of: NaiveTree(of: root)) == model, "\(edit) of \(forest)")
        try shadow.check()
        #expect(shadow.deliveryCount == 1, "\(edit) of \(forest)")
      }
    }
  }

  private func makeBranch(_ tree: NaiveTree<Int>) -> BranchNode<Row> {
    BranchNode(
      value: tree.value.map { Row(id: $0) },
      tree.children.map { child in
        child.children.isEmpty ? .leaf(Row(id: child.value!)) : .node(makeBranch(child))
      })
  }

  private func numbers(of tree: NaiveTree<Row>) -> NaiveTree<Int> {
    NaiveTree(value: tree.value?.id, children: tree.children.map { numbers(of: $0) })
  }

  // MARK: Lifetimes

  @Test func childrenAreReleasedAfterTheDelivery() throws {
    try withLifetimeTracking { tracker in
      let branch = BranchNode(value: tracker.track(0), leaves: tracker.track(1..<4))
      var live: [Int] = []
      let token = branch.observe { _ in live.append(tracker.liveCount) }
      branch.replace(at: 0, with: tracker.track(9))
      branch.replace(at: 0, with: .leaf(tracker.track(10)))
      branch.value = nil
      #expect(live == [5, 5, 4])
      branch.remove(at: 0)
      #expect(tracker.liveCount == 2)
      token.cancel()
    }
  }

  @Test func aLargeBranchInsertsInTheMiddle() {
    let branch = BranchNode(leaves: 0..<5_000)
    let node = ArrayNode([0])
    branch.insert(.node(node), at: 2_500)
    for step in 0..<500 { branch.insert(.leaf(-step), at: 1_000 + step) }
    #expect(branch.count == 5_501 && branch.child(at: 3_000) === node)
    var paths: [IndexPath] = []
    let token = branch.observe { paths += $0.paths.insertions }
    node.append(1)
    #expect(paths == [[3_000, 1]])
    // The spans leave out the only child without a value.
    #expect(branch.elements.count == 5_500)
    token.cancel()
  }
}
