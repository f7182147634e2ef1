import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

private struct Person: Identifiable, Equatable {
  var id: Int
  var name: String
  var age = 30
}

private struct Tag: Identifiable, Hashable {
  var id: Int
  var name: String
}

private struct Folder: Identifiable, Equatable {
  var id: String
  var folders: [Folder] = []
}

private enum Entry: Equatable { case person(String), shop(String) }

/// Calls that users of arrays, of SwiftUI and of other libraries try first.
@MainActor @Suite struct GuessesTests {
  private let people: ArrayNode = [Person(id: 7, name: "Cy"), Person(id: 2, name: "Al"), Person(id: 5, name: "Bo")]

  // MARK: Arrays

  @Test func aLiteralMakesAnArrayNode() {
    let names: ArrayNode = ["Ada", "Bo"]
    let none: ArrayNode<Int> = []
    #expect(names.elements == ["Ada", "Bo"])
    #expect(none.isEmpty)
  }

  @Test func sortAndReverseMove() {
    let names: ArrayNode = ["Cy", "Al", "Bo"]
    let log = ReceivedChanges(names)
    names.sort()
    #expect(names.elements == ["Al", "Bo", "Cy"])
    #expect(log.only() == .move(0..<1, to: 2))
    names.sort()
    #expect(log.changes.isEmpty)
    names.sort(by: >)
    #expect(names.elements == ["Cy", "Bo", "Al"])
    #expect(log.only().countChange == 0)
    names.reverse()
    #expect(names.elements == ["Al", "Bo", "Cy"])
    let reversed = log.only()
    #expect(reversed.removals.isEmpty && reversed.insertions.isEmpty && !reversed.moves.isEmpty)
  }

  @Test func aSortIsUndone() {
    let names: ArrayNode = ["Cy", "Al", "Bo"]
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try names.performUpdates {
        names.sort()
        #expect(names.first == "Al")
        throw Failure()
      }
    }
    #expect(names.elements == ["Cy", "Al", "Bo"])
  }

  @Test func closedRangesAreRemovedAndReplaced() {
    let letters: ArrayNode = ["a", "b", "c", "d"]
    let log = ReceivedChanges(letters)
    letters.removeSubrange(0...1)
    #expect(letters.elements == ["c", "d"])
    #expect(log.only() == .removal(0..<2))
    letters.replaceSubrange(1..., with: ["x", "y"])
    #expect(letters.elements == ["c", "x", "y"])
    letters.removeSubrange(..<1)
    letters.removeSubrange(0..<0)
    #expect(letters.elements == ["x", "y"])
  }

  @Test func aRangeIsAssigned() {
    let letters: ArrayNode = ["a", "b", "c"]
    let log = ReceivedChanges(letters)
    letters[0..<1] = ["x", "y"]
    #expect(letters.elements == ["x", "y", "b", "c"])
    #expect(log.only() == Delta(removals: [0..<1], insertions: [0..<2]))
    letters[2...] = []
    letters[..<1].append("z")
    #expect(letters.elements == ["x", "z", "y"])
    #expect(letters[0...1] == ["x", "z"])
    let last: [String] = letters[2...]
    #expect(last == ["y"])
    #expect(Array(letters[1...]) == ["z", "y"])
    #expect(letters[1..<2].first == "z")
  }

  @Test func rangesThatAreTooLongTrap() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { ArrayNode([1, 2]).removeSubrange(5...) }
    }
    expect(result, says: "ArrayNode: the range 5... is out of range 0..<2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { ArrayNode([1, 2])[...2] = [] }
    }
    expect(result, says: "ArrayNode: the range ..<3 is out of range 0..<2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { ArrayNode([1, 2]).replaceSubrange((-1)...0, with: []) }
    }
    expect(result, says: "ArrayNode: the range -1..<1 is out of range 0..<2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let some: [Int] = ArrayNode([1, 2])[..<(-1)]
        _ = some
      }
    }
    expect(result, says: "ArrayNode: the range ..<-1 is out of range 0..<2.")
  }

  @Test func popLastReturnsTheLastElement() {
    let letters: ArrayNode = ["a"]
    let log = ReceivedChanges(letters)
    #expect(letters.popLast() == "a")
    #expect(log.only() == .removal(0..<1))
    #expect(letters.popLast() == nil)
    #expect(log.changes.isEmpty)
  }

  @Test func onDeleteAndOnMovePassOffsets() {
    let letters: ArrayNode = ["a", "b", "c", "d", "e"]
    let log = ReceivedChanges(letters)
    letters.remove(atOffsets: [0, 3])
    #expect(letters.elements == ["b", "c", "e"])
    #expect(log.only() == Delta(removals: [0..<1, 3..<4]))
    letters.move(fromOffsets: [0], toOffset: 3)
    #expect(letters.elements == ["c", "e", "b"])
    #expect(log.only() == .move(0..<1, to: 2))
    letters.move(fromOffsets: [1], toOffset: 2)
    letters.remove(atOffsets: [])
    #expect(log.changes.isEmpty)
  }

  @Test func offsetsOfAViewAreRemovedAndMovedInItsSources() {
    let letters: ArrayNode = ["a", "-", "b", "c", "d"]
    let others: ArrayNode = ["e"]
    let shown = FilterNode(JoinNode([letters, others])) { $0 != "-" }
    let log = ReceivedChanges(shown)
    shown.move(fromOffsets: [0, 2], toOffset: 4)
    #expect(shown.elements == ["b", "d", "a", "c", "e"])
    #expect(log.only() == Delta(from: ["a", "b", "c", "d", "e"], to: shown.elements))
    shown.remove(atOffsets: [0, 4])
    #expect(letters.elements.filter { $0 != "-" } == ["d", "a", "c"])
    #expect(others.isEmpty)
    #expect(log.only() == Delta(removals: [0..<1, 4..<5]))
    let sorted: any TreeNode<String> = SortNode(letters)
    sorted.remove(atOffsets: [0])
    #expect(letters.contains("-") == false)
  }

  // MARK: Ids

  @Test func anElementIsFoundByItsID() {
    let log = ReceivedChanges(people)
    #expect(people[id: 2]?.name == "Al")
    #expect(people[id: 3] == nil)
    people[id: 2]?.name = "Ada"
    #expect(people[1].name == "Ada")
    #expect(log.only() == .update(1..<2))
    people[id: 3]?.name = "Eve"
    people[id: 3] = nil
    #expect(log.changes.isEmpty)
    people[id: 7] = nil
    #expect(people.map(\.id) == [2, 5])
    #expect(log.only() == .removal(0..<1))
  }

  @Test func anElementOfAViewIsFoundByItsID() {
    let sorted = SortNode(people, by: \.name)
    #expect(sorted[id: 7]?.name == "Cy")
    sorted[id: 7]?.name = "Ada"
    #expect(sorted.map(\.name) == ["Ada", "Al", "Bo"])
    #expect(people[0].name == "Ada")
  }

  @Test func anIdentityIndexUpdates() {
    let tree = BranchNode([people, ArrayNode([Person(id: 1, name: "Di")])])
    let index = IdentityIndex(of: tree)
    let log = ReceivedChanges(people)
    #expect(index.update(id: 5) { $0.age += 1 })
    #expect(people[2].age == 31)
    #expect(log.only() == .update(2..<3))
    #expect(!index.update(id: 6) { $0.age += 1 })
    #expect(log.changes.isEmpty)
  }

  @Test func replacedElementsAreRecognizedByTheirIDs() {
    let log = ReceivedChanges(people)
    people.replaceAll(with: [Person(id: 2, name: "Ada"), Person(id: 5, name: "Bo")])
    #expect(log.only() == Delta(removals: [0..<1], updates: [0..<1]))
    let tags: ArrayNode = [Tag(id: 1, name: "a")]
    let log2 = ReceivedChanges(tags)
    tags.replaceAll(with: [Tag(id: 1, name: "b")])
    #expect(log2.only() == .update(0..<1))
  }

  @Test func differencesRecognizeIDs() {
    let former = people.elements
    let new = [former[1], Person(id: 7, name: "Cyd")]
    #expect(Delta(from: former, to: new) == Delta(from: former, to: new, id: { $0.id }))
    #expect(Delta(from: [Tag(id: 1, name: "a")], to: [Tag(id: 1, name: "b")]) == .update(0..<1))
    let before = people.snapshot()
    people.removeLast()
    #expect(before.difference(to: people.snapshot()).delta == .removal(2..<3))
    let tags: ArrayNode = [Tag(id: 1, name: "a")]
    let tagsBefore = tags.snapshot()
    tags[0].name = "b"
    #expect(tagsBefore.difference(to: tags.snapshot()).delta == .update(0..<1))
  }

  @Test func aForestRecognizesIDs() throws {
    let forest = ForestNode(leaves: people)
    let log = ReceivedChanges(forest)
    try forest.replaceAll(with: ArrayNode([Person(id: 7, name: "Cy", age: 31)]).snapshot())
    #expect(log.only() == Delta(removals: [1..<3], updates: [0..<1]))
    forest.append(contentsOf: people[0...0])
    forest.removeSubrange(0...0)
    forest.removeSubrange(1...)
    #expect(forest.elements.map(\.id) == [7])
    let tags = ForestNode(leaves: [Tag(id: 1, name: "a")])
    let log2 = ReceivedChanges(tags)
    try tags.replaceAll(with: ArrayNode([Tag(id: 1, name: "b")]).snapshot())
    #expect(log2.only() == .update(0..<1))
  }

  @Test func aPropertyRecognizesIDs() {
    final class Post {
      var authors = [Person(id: 1, name: "Al"), Person(id: 2, name: "Bo")]
      var tags = [Tag(id: 1, name: "a"), Tag(id: 2, name: "b")]
    }
    func check<Element>(_ node: (Post) -> PropertyNode<Element>) {
      let post = Post()
      let node = node(post)
      let log = ReceivedChanges(node)
      post.authors[1].name = "Cy"
      post.tags[1].name = "c"
      node.refresh()
      #expect(log.only() == .update(1..<2))
    }
    check { PropertyNode($0, \.authors) }
    check { PropertyNode($0, \.tags) }
    check { PropertyNode<Any>($0, levels: [PropertyLevel(values: \Post.authors)]) }
    check { PropertyNode<Any>($0, levels: [PropertyLevel(values: \Post.tags)]) }
  }

  @Test func aHierarchyRecognizesIDs() {
    let home = Folder(id: "home", folders: [Folder(id: "notes", folders: [Folder(id: "old")]), Folder(id: "music")])
    #expect(HierarchyNode(home) { $0.folders }[0, 0]?.id == "old")
    #expect(HierarchyNode(home, children: \.folders)[0, 0]?.id == "old")
    #expect(HierarchyNode(roots: { [home] }) { $0.folders }[0, 0, 0]?.id == "old")
  }

  @Test func viewsRecognizeIDs() {
    let twice = people.joining(people)
    #expect(twice.uniquing().map(\.id) == [7, 2, 5])
    #expect(NestNode(people, parent: { $0.id == 7 ? nil : 7 }).count(at: [0]) == 2)
    #expect(OutlineNode(BranchNode([people])).count == 1)
  }

  // MARK: Paths

  @Test func positionsAreAPath() {
    let tree = BranchNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
    #expect(tree[1, 0] == "b")
    let any: any TreeNode<String> = tree
    #expect(any[1, 1] == "c")
    #expect(BranchNode([tree])[0, 1, 1] == "c")
  }

  @Test func anElementIsUpdatedByPath() {
    let friends: ArrayNode = ["Bo", "Cy"]
    let tree = BranchNode([FilterNode(friends) { $0 != "Bo" }])
    let log = ReceivedChanges(friends)
    tree.update(at: [0, 0]) { $0 += "d" }
    #expect(friends.elements == ["Bo", "Cyd"])
    #expect(log.only() == .update(1..<2))
  }

  @Test func anElementOfAViewIsUpdated() {
    let sorted = SortNode(people, by: \.name)
    let log = ReceivedChanges(sorted)
    sorted.update(at: 0) { $0.name = "Zoe" }
    #expect(sorted.map(\.name) == ["Bo", "Cy", "Zoe"])
    #expect(people[1].name == "Zoe")
    #expect(log.only().moves.count == 1)
    people.update(at: 0) { $0.age = 1 }
    #expect(people[0].age == 1)
  }

  @Test func anUpdateThatThrowsChangesNothing() {
    struct Failure: Error {}
    let tree = BranchNode([people])
    let log = ReceivedChanges(tree)
    #expect(throws: Failure.self) {
      try tree.update(at: [0, 0]) { (person: inout Person) throws(Failure) in
        person.age = 0
        throw Failure()
      }
    }
    #expect(people[0].age == 30)
    #expect(log.changes.isEmpty)
  }

  @Test func anUpdateThatChangesANodeTraps() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let letters: ArrayNode = ["a"]
        letters.filtering { _ in true }.update(at: 0) { _ in letters.append("b") }
      }
    }
    expect(result, says: "was changed from a closure")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let letters: ArrayNode = ["a", "b"]
        letters.update(at: 1) { _ in letters.remove(at: 0) }
      }
    }
    expect(result, says: "was changed from a closure")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let forest = ForestNode(leaves: ["a", "b"])
        forest.update(at: 1) { _ in forest.remove(at: [0]) }
      }
    }
    expect(result, says: "was changed from a closure")
  }

  // MARK: Comparators

  @Test func comparatorsOfFoundationSort() {
    people.append(Person(id: 1, name: "Al", age: 50))
    let order = [KeyPathComparator(\Person.name), KeyPathComparator(\Person.age, order: .reverse)]
    let sorted = SortNode(people, using: order)
    #expect(sorted.map(\.id) == [1, 2, 5, 7])
    let log = ReceivedChanges(sorted)
    sorted.setComparator(using: [KeyPathComparator(\Person.id)])
    #expect(sorted.map(\.id) == [1, 2, 5, 7])
    #expect(log.changes.isEmpty)
    sorted.setComparator(using: [SortDescriptor(\Person.id, order: .reverse)])
    #expect(sorted.map(\.id) == [7, 5, 2, 1])
    #expect(log.only().removals.isEmpty)
    sorted.setComparator(using: [KeyPathComparator<Person>]())
    #expect(sorted.map(\.id) == people.map(\.id))
    #expect(sorted.allows(.move(to: 0), at: 1))
  }

  @Test func comparatorsOfFoundationSortATree() {
    let tree = TreeSortNode(BranchNode([people]), using: [KeyPathComparator(\Person.name)])
    #expect(tree[0, 0]?.name == "Al")
    tree.setComparator(using: [KeyPathComparator(\Person.name, order: .reverse)])
    #expect(tree[0, 0]?.name == "Cy")
  }

  // MARK: Live views

  @Test func viewsReadFromLeftToRight() {
    let names: ArrayNode = ["Grace", "Ada"]
    let others: ArrayNode = ["Bo"]
    let view = names.joining(others).filtering { $0.count < 5 }.sorting().mapping { $0.uppercased() }
    #expect(view.elements == ["ADA", "BO"])
    let log = ReceivedChanges(view)
    others.append("Al")
    #expect(view.elements == ["ADA", "AL", "BO"])
    #expect(log.only() == .insertion(1..<2))
  }

  @Test func everyVerbMakesItsNode() {
    let numbers: ArrayNode = [5, 3, 8, 3]
    #expect(numbers.sorting(by: >).elements == [8, 5, 3, 3])
    #expect(numbers.sorting(.reverse).elements == [8, 5, 3, 3])
    #expect(numbers.slicing(1...2).elements == [3, 8])
    #expect(numbers.slicing(..<1).elements == [5])
    #expect(numbers.uniquing { $0 }.elements == [5, 3, 8])
    #expect(numbers.joining(numbers, numbers).count == 12)
    #expect(people.sorting(by: \.name, order: .reverse).map(\.name) == ["Cy", "Bo", "Al"])
    let groups = numbers.grouping { $0 % 2 }
    #expect(groups.count == 2)
    #expect(groups[0, 1] == 3)
    let some: any TreeNode<Int> = numbers
    #expect(some.filtering { $0 > 4 }.elements == [5, 8])
  }

  @Test func arraysOfACollectionStayArrays() {
    let names: ArrayNode = ["Grace", "Ada"]
    let sorted: [String] = names.sorted()
    let short: [String] = names.filter { $0.count < 5 }
    names.append("Al")
    #expect(sorted == ["Ada", "Grace"] && short == ["Ada"])
  }

  // MARK: Sources of rows

  @Test func aRowLeadsToItsSource() throws {
    let friends: ArrayNode = ["Best mate", "Bo"]
    let short = FilterNode(JoinNode([ArrayNode(["Dad"]), friends])) { $0.count < 4 }
    let rows = BranchNode([short.sorting(by: >).mapping { $0.count }])
    let place = try #require(rows.origin(of: [0, 1]))
    #expect(place.node === friends)
    #expect(place.position == 1)
    #expect(rows.path(of: [place.position], in: place.node) == [0, 1])
    #expect(rows.origin(of: []) == nil)
    #expect(rows.origin(of: [0, 2]) == nil)
    let branch = try #require(rows.origin(of: [0]))
    #expect(branch.node === rows && branch.position == 0)
  }

  @Test func aRowOfSectionsAndOutlinesLeadsToItsSource() throws {
    let numbers: ArrayNode = [1, 2, 3, 4]
    let groups = GroupNode(numbers, by: { $0 % 2 })
    let place = try #require(groups.origin(of: [1, 1]))
    #expect(place.node === numbers && place.position == 3)
    let row = try #require(FlattenNode(groups).origin(of: [1]))
    #expect(row.node === numbers && row.position == 2)
    let outline = OutlineNode(
      TreeFilterNode(ForestNode(leaves: numbers)) { $0 > 2 }, expansion: ExpansionState<Int>(), id: { $0 })
    #expect(outline.origin(of: [1])?.position == 3)
  }

  // MARK: Two types of elements

  @Test func anEnumerationJoinsTwoTypes() {
    let shops: ArrayNode = ["Books"]
    let list = JoinNode([people.mapping { Entry.person($0.name) }, shops.mapping(Entry.shop)])
    #expect(list.last == .shop("Books"))
    let mixed = BranchNode([people, SortNode(people, by: \.name)])
    #expect(mixed[1, 0]?.name == "Al")
    let empty = BranchNode<Never>([])
    #expect(empty.isEmpty)
    #expect(JoinNode<String>([]).isEmpty)
  }
}
