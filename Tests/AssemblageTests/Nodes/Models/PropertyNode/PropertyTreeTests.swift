import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Trees of model objects.
@Suite struct PropertyTreeTests: MisuseSuite {
  private final class Company {
    var departments: [Department] = []
  }

  private final class Department {
    let name: String
    var people: [Person] = []
    init(_ name: String, _ people: [Person] = []) { (self.name, self.people) = (name, people) }
  }

  private final class Person {
    let name: String
    var phones: [Int]
    init(_ name: String, _ phones: [Int] = []) { (self.name, self.phones) = (name, phones) }
  }

  private final class Folder {
    let name: String
    var folders: [Folder]
    init(_ name: String, _ folders: [Folder] = []) { (self.name, self.folders) = (name, folders) }
  }

  /// A folder that reports each change of its folders, also a change that the tree makes.
  private final class ReportingFolder {
    weak var tree: PropertyNode<ReportingFolder>?
    var folders: [ReportingFolder] = [] { didSet { tree?.refresh() } }
  }

  private struct Stop: Error {}

  private static var levels: [PropertyLevel<Any>] {
    [
      PropertyLevel(objects: \Company.departments), PropertyLevel(objects: \Department.people),
      PropertyLevel(values: \Person.phones),
    ]
  }

  private static func checker() -> NodeChecker<Any> {
    NodeChecker<Any>(id: { id(of: $0) }, areEqual: { id(of: $0) == id(of: $1) })
  }

  private static func id(of element: Any) -> AnyHashable {
    if let number = element as? Int { return AnyHashable(number) }
    return AnyHashable(ObjectIdentifier(element as AnyObject))
  }

  private static func company() -> Company {
    let company = Company()
    company.departments = [
      Department("Sales", [Person("Al", [1, 2]), Person("Bo")]), Department("Labs", [Person("Cy", [3])]),
    ]
    return company
  }

  /// Returns the names and numbers in the tree.
  private func text(_ node: any TreeNode<Any>) -> String {
    let children = (0..<node.count).map { position -> String in
      let name: String
      switch node.element(at: position) {
      case let department as Department: name = department.name
      case let person as Person: name = person.name
      case let value: name = "\(value!)"
      }
      return name + (node.child(at: position).map { text($0) } ?? "")
    }
    return "[\(children.joined(separator: " "))]"
  }

  @Test func aListOfDescendingPropertiesIsATree() throws {
    let company = Self.company()
    let tree = PropertyNode<Any>(company, levels: Self.levels)
    let shadow = ShadowTree(of: tree, checker: Self.checker(), minimality: [.survivors, .fewestMoves, .acrossParents])
    #expect(text(tree) == "[Sales[Al[1 2] Bo[]] Labs[Cy[3]]]")
    tree.insert(4, at: [0, 1, 0])
    #expect(company.departments[0].people[1].phones == [4])
    let labs = company.departments[1]
    tree.move(from: [1], to: [0])
    #expect(company.departments[0] === labs && text(tree) == "[Labs[Cy[3]] Sales[Al[1 2] Bo[4]]]")
    tree.move(from: [1, 0], to: [0, 1])
    #expect(text(tree) == "[Labs[Cy[3] Al[1 2]] Sales[Bo[4]]]")
    #expect(labs.people.map(\.name) == ["Cy", "Al"])
    tree.move(from: [0, 1, 1], to: [1, 0, 0])
    #expect(text(tree) == "[Labs[Cy[3] Al[1]] Sales[Bo[2 4]]]")
    try shadow.check()
    labs.people.removeFirst()
    company.departments[1].people[0].phones = [4, 5]
    company.departments.append(Department("Law"))
    try shadow.checkTransaction { tree.refresh() }
    #expect(text(tree) == "[Labs[Al[1]] Sales[Bo[4 5]] Law[]]")
    try shadow.checkTransaction { tree.replace(at: [0, 0], with: Person("Di", [9])) }
    #expect(text(tree) == "[Labs[Di[9]] Sales[Bo[4 5]] Law[]]")
    try Self.checker().check(tree)
  }

  /// A node that leaves and returns is the same node, and its own earlier edits can be undone.
  @Test func undoBringsTheSameNodesBack() throws {
    let company = Self.company()
    let tree = PropertyNode<Any>(company, levels: Self.levels)
    let shadow = ShadowTree(of: tree, checker: Self.checker(), minimality: [])
    let log = UndoLog(of: tree)
    let states = [text(tree)]
    let node = try #require(tree.child(at: 0) as? PropertyNode<Any>)
    tree.insert(7, at: [0, 0, 1])
    tree.insert(Person("Di", [8]), at: [0, 1])
    tree.remove(at: [0])
    #expect(text(tree) == "[Labs[Cy[3]]]")
    #expect(log.undo() && tree.child(at: 0) === node)
    #expect(log.undo() && log.undo())
    #expect(text(tree) == states[0] && company.departments[0].people[0].phones == [1, 2])
    try shadow.check()
    #expect(log.redo() && log.redo() && log.redo())
    #expect(text(tree) == "[Labs[Cy[3]]]")
    try shadow.check()
    _ = log.undo()
    #expect(text(tree) == "[Sales[Al[1 7 2] Di[8] Bo[]] Labs[Cy[3]]]")
    #expect(throws: Stop.self) {
      try tree.performUpdates {
        tree.move(from: [0, 0], to: [1, 1])
        tree.remove(at: [1, 1, 0])
        company.departments.reverse()
        tree.refresh()
        throw Stop()
      }
    }
    #expect(text(tree) == "[Sales[Al[1 7 2] Di[8] Bo[]] Labs[Cy[3]]]")
    #expect(company.departments.map(\.name) == ["Sales", "Labs"])
    try shadow.check()
  }

  @Test func aPropertyRepeats() throws {
    let home = Folder("home", [Folder("a", [Folder("b")]), Folder("c")])
    let tree = PropertyNode<Folder>(home, repeating: PropertyLevel(objects: \Folder.folders))
    let checker = NodeChecker<Folder>(id: { ObjectIdentifier($0) }, areEqual: ===)
    let shadow = ShadowTree(of: tree, checker: checker)
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { ObjectIdentifier($0) })
    #expect(outline.elements.map(\.name) == ["a", "b", "c"])
    tree.move(from: [0, 0], to: [1, 0])
    #expect(outline.elements.map(\.name) == ["a", "c", "b"])
    home.folders[1].folders[0].folders = [Folder("d")]
    try shadow.checkTransaction { tree.refresh() }
    #expect(outline.elements.map(\.name) == ["a", "c", "b", "d"])
    tree.update(at: 0)
    try shadow.check()
  }

  /// The setter of a property below the root refreshes the root, in the middle of an edit.
  @Test func anEditBelowTheRootIsReportedOnce() throws {
    let (home, notes) = (ReportingFolder(), ReportingFolder())
    home.folders = [notes]
    let tree = PropertyNode<ReportingFolder>(home, repeating: PropertyLevel(objects: \ReportingFolder.folders))
    (home.tree, notes.tree) = (tree, tree)
    let flat = FlattenNode(tree)
    let recorder = ChangeRecorder(of: flat)
    try recorder.expecting(["[+0]"]) { tree.insert(ReportingFolder(), at: [0, 0]) }
    #expect(flat.count == 1 && notes.folders.count == 1)
  }

  /// A move that an edit would refuse is not allowed.
  @Test func childrenOfOtherTypesAreNotAccepted() throws {
    let tree = PropertyNode<Any>(Self.company(), levels: Self.levels)
    let leaves = JoinNode<Any>([tree, BranchNode<Any>(leaves: ["x" as Any])])
    #expect(!leaves.allows(.move(to: 0), at: 2))
    let nodes = JoinNode<Any>([tree, BranchNode<Any>([BranchNode<Any>(leaves: ["x" as Any])])])
    #expect(nodes.allows(.insertNode, at: 0) && !nodes.allows(.move(to: 0), at: 2))
    let (sales, labs) = (try #require(tree.child(at: 0)), try #require(tree.child(at: 1)))
    let people = JoinNode<Any>([sales, labs])
    #expect(people.allows(.move(to: 2), at: 0))
    people.move(from: 0, to: 2)
    #expect(text(tree) == "[Sales[Bo[]] Labs[Cy[3] Al[1 2]]]")
    // A department among people.
    #expect(!JoinNode<Any>([tree, labs]).allows(.move(to: 2), at: 0))
  }

  /// A chain of many levels is reported, edited and released without recursion.
  @Test func aDeepChainIsNoBurden() {
    let depth = 20_000
    var folder = Folder("last")
    let last = folder
    var chain = [folder]
    for _ in 0..<depth {
      folder = Folder("f", [folder])
      chain.append(folder)
    }
    do {
      let tree = PropertyNode<Folder>(folder, repeating: PropertyLevel(objects: \Folder.folders))
      var node: any TreeNode<Folder> = tree
      while let child = node.child(at: 0) { node = child }
      last.folders = [Folder("new")]
      tree.refresh()
      #expect(node.count == 1)
    }
    for folder in chain { folder.folders = [] }
  }

  static let misuses = [
    Misuse("PropertyNode: an Any is no Department, and cannot be an element of \\Company.departments.") {
      PropertyNode<Any>(Self.company(), levels: Self.levels).insert(Person("x"), at: 0)
    },
    Misuse("PropertyNode: the root is an Any, which has not the first level's property.") {
      _ = PropertyNode<Any>(Person("x"), levels: Self.levels)
    },
    Misuse(
      "PropertyNode: a level of values is followed by another one, but values have no properties that could be written."
    ) { _ = PropertyNode<Any>(Self.company(), levels: Self.levels.reversed()) },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
