@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Nodes of several types of elements in one tree, without an enumeration.
@Suite struct ErasingTests: MisuseSuite {
  private protocol Item: Sendable { var id: Int { get } }
  private struct Person: Item, Equatable { var id: Int }
  private struct Shop: Item, Equatable { var id: Int }

  @Test func theExampleHolds() {
    let people = ArrayNode(["Ada", "Bob"])
    let ages = ArrayNode([36])
    let rows = JoinNode([people.erasing { $0 as Any }, ages.erasing { $0 as Any }])
    #expect(rows.count == 3)
    rows.replace(at: [2], with: 37)
    #expect(ages.elements == [37] && rows.origin(of: [2])?.node === ages)
    #expect(BranchNode<Any>([people.erasing { $0 }]).child(at: [0], of: String.self) === people)
  }

  @Test func sectionsAreWrittenThroughWithTheirTypes() throws {
    let (people, others) = (ArrayNode((1...3).map { Person(id: $0) }), ArrayNode([Person(id: 4)]))
    let shops = ArrayNode([Shop(id: 10)])
    let sections = BranchNode<any Item>([
      people.erasing { $0 as any Item }, shops.erasing { $0 as any Item }, others.erasing { $0 as any Item },
    ])
    #expect(sections.child(at: [0], of: Person.self) === people && sections.child(at: [1], of: Shop.self) === shops)
    #expect(sections.child(at: [0], of: Shop.self) == nil && sections.child(at: [7], of: Shop.self) == nil)
    #expect(sections.child(at: [], of: Person.self) == nil)
    let recorder = ChangeRecorder(of: sections)
    try recorder.expecting(["[; 0: [+3]]"]) { sections.insert(Person(id: 5), at: [0, 3]) }
    try recorder.expecting(["[; 0: [-0]; 2: [+1]] {[0, 0]→[2, 1]}"]) { sections.move(from: [0, 0], to: [2, 1]) }
    try recorder.expecting(["[; 1: [~0]]"]) { shops[0] = Shop(id: 11) }
    #expect(people.map(\.id) == [2, 3, 5] && others.map(\.id) == [4, 1])
    let join = JoinNode((0..<3).map { sections.child(at: $0)! })
    #expect(join.allows(.move(to: 5), at: 0) && !join.allows(.move(to: 3), at: 0), "a person is no shop")
  }

  @Test func aTreeIsErasedAtEveryDepth() {
    let folder = BranchNode(value: 1, leaves: [2])
    let tree = BranchNode<Int>([.node(folder), .leaf(3)])
    let erased = tree.erasing { AnyHashable($0) }
    #expect(erased.child(at: [0], of: Int.self) === folder && erased[[0, 0]] == AnyHashable(2))
    let inner = erased.remove(at: [0]).node!
    erased.insert(inner, at: [1])
    #expect(tree.child(at: 1) === folder)
    let other = BranchNode<Int>()
    BranchNode([erased, other.erasing { AnyHashable($0) }]).move(from: [0, 1], to: [1, 0])
    #expect(other.child(at: 0) === folder && tree.elements == [3])
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("MapNode: the value 7 is a Int, and the source takes String.") {
      ArrayNode(["a"]).erasing { $0 as Any }.replace(at: [0], with: 7)
    },
    Misuse("MapNode: the value 7 is a Int, and the source takes String.") {
      let (words, numbers) = (ArrayNode(["a"]), ArrayNode([7]))
      BranchNode<Any>([words.erasing { $0 }, numbers.erasing { $0 }]).move(from: [1, 0], to: [0, 0])
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
