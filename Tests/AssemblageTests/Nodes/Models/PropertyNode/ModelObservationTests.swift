import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Nodes of observable models, which report their changes by themselves.
@MainActor @Suite struct ModelObservationTests {
  private typealias Person = ObservablePerson

  @Test func changesAreTakenInByThemselves() async throws {
    let person = Person()
    let node = PropertyNode(person, \.friends)
    let shadow = ShadowTree(of: node, id: \.self)
    node.observeModel()
    node.observeModel()
    person.friends.append("Bo")
    person.friends.insert("Cy", at: 0)
    #expect(node.elements == ["Al"])
    #expect(await eventually { node.count == 3 })
    #expect(node.elements == ["Cy", "Al", "Bo"] && shadow.deliveryCount == 1)
    person.friends.removeLast()
    #expect(await eventually { node.count == 2 })
    node.insert("Di", at: 2)
    #expect(person.friends == ["Cy", "Al", "Di"])
    person.friends.removeFirst()
    node.refresh()
    #expect(node.elements == ["Al", "Di"])
    person.friends.append("Ed")
    #expect(await eventually { node.count == 3 })
    #expect(shadow.deliveryCount == 5)
    try shadow.check()
  }

  @Test func treesAreFollowedBelow() async throws {
    let person = Person()
    person.children = [Person("Bo"), Person("Cy")]
    let tree = PropertyNode(person, repeating: PropertyLevel(objects: \Person.children))
    tree.observeModel()
    // The shadow reads everything. So it makes the nodes below, which are followed too.
    let shadow = ShadowTree(of: tree, checker: NodeChecker<Person>(id: { ObjectIdentifier($0) }, areEqual: ===))
    // All changes of one turn of the actor are one change.
    let child = Person("Di")
    person.children[0].children.append(child)
    #expect(await eventually { tree.count(at: [0]) == 1 })
    person.children[0].children = []
    person.children[1].children = [child]
    #expect(await eventually { tree.count(at: [1]) == 1 })
    #expect(tree.count(at: [0]) == 0 && shadow.deliveryCount == 2)
    child.children.append(Person("Ed"))
    #expect(await eventually { tree.count(at: [1, 0]) == 1 })
    person.children.removeFirst()
    #expect(await eventually { tree.count == 1 })
    try shadow.check()
  }

  /// A node that was made elsewhere follows its model as soon as it is in the tree.
  @Test func anInsertedNodeIsFollowed() async {
    let (person, child) = (Person(), Person("Bo"))
    let level: PropertyLevel<Person> = PropertyLevel(objects: \Person.children)
    let tree = PropertyNode(person, repeating: level)
    tree.observeModel()
    let branch = PropertyNode(child, repeating: level)
    tree.insert(branch, at: 0)
    #expect(tree.child(at: 0) === branch)
    child.children = [Person("Cy")]
    #expect(await eventually { branch.count == 1 })
    // The node below was made after that.
    let below = tree.child(at: [0, 0])
    child.children[0].children = [Person("Di")]
    #expect(await eventually { below?.count == 1 })
  }

  @Test func fieldsAreFollowed() async throws {
    let person = Person()
    let rows = FieldsNode(person, [\.name, \.motto])
    rows.observeModel()
    var received: [Delta] = []
    let token = rows.observe { received.append($0.delta) }
    person.motto = "!"
    #expect(await eventually { !received.isEmpty })
    rows.replace(at: 0, with: "Grace")
    person.name = "Edsger"
    #expect(await eventually { received.count == 3 })
    #expect(received == [.update(1..<2), .update(0..<1), .update(0..<1)] && rows.elements == ["Edsger", "!"])
    token.cancel()
  }

  @Test func fieldsThatComeLaterAreFollowed() async throws {
    let person = Person()
    let rows = FieldsNode(person, [\.name])
    rows.observeModel()
    rows.insertField(Field(\.motto), of: person, at: 0)
    var received: [Delta] = []
    let token = rows.observe { received.append($0.delta) }
    person.motto = "!"
    #expect(await eventually { !received.isEmpty })
    #expect(received == [.update(0..<1)] && rows.element(at: 0) == "!")
    token.cancel()
  }

  /// An actor that owns a node of an observed model.
  private actor Store {
    private let person = ObservablePerson()
    private lazy var friends = PropertyNode(person, \.friends)

    func start() { friends.observeModel() }

    func add(_ name: String) { person.friends.append(name) }

    func shows(_ count: Int) async -> Bool { await eventually { friends.count == count } }
  }

  @Test func anActorIsNotKeptAlive() async {
    var store: Store? = Store()
    weak let released = store
    await store?.start()
    for (number, name) in ["Bo", "Cy"].enumerated() {
      await store?.add(name)
      #expect(await store?.shows(number + 2) == true)
    }
    store = nil
    #expect(await eventually { released == nil })
  }

  @Test func nodesAndModelsAreReleased() async {
    let person = Person()
    weak var weakNode: PropertyNode<String>?
    weak var weakPerson: Person?
    do {
      let other = Person()
      let node = PropertyNode(other, \.friends)
      node.observeModel()
      other.friends = []
      (weakNode, weakPerson) = (node, other)
      let unowned = PropertyNode(person, \.friends, holding: .unowned)
      unowned.observeModel()
    }
    #expect(weakNode == nil && weakPerson == nil)
    // A call-back for a node that no longer exists.
    person.friends = []
    for _ in 0..<10 { await Task.yield() }
  }
}
