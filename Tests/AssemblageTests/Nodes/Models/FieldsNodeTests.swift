import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct FieldsNodeTests: MisuseSuite {
  private final class Person {
    var firstName = "Ada"
    var lastName = "King"
    var age = 36
    var fullName: String { "\(firstName) \(lastName)" }
    /// Changes another property when it is set.
    var nickname = "" { didSet { firstName = nickname.capitalized } }
  }

  private struct Stop: Error {}

  @Test func theExampleHolds() {
    let person = Person()
    let rows = FieldsNode(person, [\.firstName, \.lastName])
    rows.replace(at: 1, with: "Lovelace")
    #expect(person.lastName == "Lovelace")
    person.firstName = "A."
    #expect(rows.elements == ["Ada", "Lovelace"])
    var received: [Delta] = []
    let token = rows.observe { received.append($0.delta) }
    rows.refresh()
    rows.refresh()
    #expect(received == [.update(0..<1)] && rows.elements == ["A.", "Lovelace"])
    #expect(
      rows.element(at: 2) == nil && rows.element(at: -1) == nil && rows.description == #"FieldsNode ["A.", "Lovelace"]"#
    )
    token.cancel()
  }

  @Test func fieldsOfOtherTypesAreShownAndParsed() throws {
    let person = Person()
    let rows = FieldsNode<String>(
      person,
      fields: [
        Field(\.firstName), Field(\.age, show: { "\($0)" }, parse: { Int($0) }), Field(reading: \.fullName),
        Field(\.nickname),
      ])
    let shadow = ShadowTree(of: rows, checker: NodeChecker<String>(areEqual: ==))
    #expect(rows.elements == ["Ada", "36", "Ada King", ""])
    rows.replace(at: 1, with: "37")
    #expect(person.age == 37)
    rows.replace(at: 1, with: "many")
    #expect(person.age == 37 && rows.element(at: 1) == "37")
    // One row is set, and three rows change.
    rows.replace(at: 3, with: "grace")
    #expect(rows.elements == ["Grace", "37", "Grace King", "grace"])
    try shadow.check()
    try NodeChecker<String>(areEqual: ==).check(rows)
  }

  @Test func fieldsComeAndGo() throws {
    let (person, other) = (Person(), Person())
    let rows = FieldsNode(person, [\.firstName])
    let shadow = ShadowTree(of: rows, checker: NodeChecker<String>(areEqual: ==))
    var received: [Delta] = []
    let token = rows.observe { received.append($0.delta) }
    let log = UndoLog(of: rows)
    rows.insertField(Field(\.lastName), of: person, at: 1)
    rows.insertField(Field(\.firstName), of: other, at: 0)
    rows.moveField(from: 0, to: 2)
    #expect(rows.elements == ["Ada", "King", "Ada"])
    rows.replace(at: 2, with: "Bo")
    #expect(other.firstName == "Bo" && person.firstName == "Ada")
    rows.removeField(at: 2)
    #expect(
      received == [
        .insertion(1..<2), .insertion(0..<1), .move(0..<1, to: 2), .update(2..<3), .removal(2..<3),
      ])
    // A row that returns shows the present value of the property.
    other.firstName = "Cy"
    log.undo()
    #expect(rows.elements == ["Ada", "King", "Cy"])
    log.undo()
    #expect(other.firstName == "Ada")
    for _ in 0..<3 { log.undo() }
    #expect(rows.elements == ["Ada"])
    try shadow.check()
    token.cancel()
  }

  @Test func fieldsAreRolledBack() throws {
    let person = Person()
    let rows = FieldsNode(person, [\.firstName, \.lastName])
    var received = 0
    let token = rows.observe { _ in received += 1 }
    #expect(throws: Stop.self) {
      try rows.performUpdates {
        rows.replace(at: 0, with: "Grace")
        rows.removeField(at: 0)
        rows.insertField(Field(\.nickname), of: person, at: 0)
        rows.moveField(from: 1, to: 0)
        throw Stop()
      }
    }
    #expect(rows.elements == ["Ada", "King"] && person.firstName == "Ada" && received == 0)
    token.cancel()
  }

  @Test func rollbackAndUndoSetTheProperties() throws {
    let person = Person()
    let rows = FieldsNode<String>(person, fields: [Field(\.firstName), Field(\.lastName), Field(reading: \.fullName)])
    let filter = FilterNode(rows) { $0 != "Ada" }
    let log = UndoLog(of: rows)
    var deliveries = 0
    let token = filter.observe { _ in deliveries += 1 }
    #expect(throws: Stop.self) {
      try rows.performUpdates {
        filter.replace(at: 0, with: "Byron")
        person.firstName = "George"
        rows.refresh()
        throw Stop()
      }
    }
    #expect(person.fullName == "Ada King" && rows.elements == ["Ada", "King", "Ada King"] && deliveries == 0)
    rows.replace(at: 0, with: "Grace")
    person.lastName = "Hopper"
    rows.refresh()
    #expect(log.undo() && person.fullName == "Grace King")
    #expect(log.undo() && person.fullName == "Ada King" && rows.elements == ["Ada", "King", "Ada King"])
    #expect(log.redo() && log.redo() && person.fullName == "Grace Hopper")
    #expect(rows.elements == ["Grace", "Hopper", "Grace Hopper"])
    token.cancel()
  }

  /// The setter of a later row changes an earlier row also when the former values are set again.
  @Test func anUndoSetsWhatAnotherSetterHasChanged() {
    let person = Person()
    let rows = FieldsNode(person, [\.firstName, \.nickname])
    let log = UndoLog(of: rows)
    rows.replace(at: 1, with: "grace")
    #expect(rows.elements == ["Grace", "grace"])
    log.undo()
    #expect(rows.elements == ["Ada", ""] && person.firstName == "Ada")
  }

  /// A refused value is reported, because a view draws the former value again, but it is no step.
  @Test func aRefusedValueIsNoStep() throws {
    let person = Person()
    let rows = FieldsNode(person, fields: [Field(\.firstName), Field(\.age, show: { "\($0)" }, parse: { Int($0) })])
    let recorder = ChangeRecorder(of: rows)
    let log = UndoLog(of: rows)
    rows.replace(at: 0, with: "Grace")
    log.undo()
    recorder.removeAll()
    try recorder.expecting(["[~1]"]) { rows.replace(at: 1, with: "many") }
    #expect(log.undoCount == 0 && log.redoCount == 1 && rows.elements == ["Ada", "36"])
  }

  /// A row whose property cannot be set keeps the owner's new value, and observers are notified of it.
  @Test func observersFollowWhatCannotBeRolledBack() throws {
    let person = Person()
    let rows = FieldsNode<String>(person, fields: [Field(reading: \.fullName)])
    let shadow = ShadowTree(of: rows, checker: NodeChecker<String>(areEqual: ==), minimality: [])
    #expect(throws: Stop.self) {
      try rows.performUpdates {
        person.lastName = "Lovelace"
        rows.refresh()
        throw Stop()
      }
    }
    #expect(rows.elements == ["Ada Lovelace"])
    try shadow.check()
  }

  static let misuses = [
    Misuse("FieldsNode: the position 1 is out of range 0..<1.") {
      FieldsNode(Person(), [\.firstName]).replace(at: 1, with: "")
    },
    Misuse("FieldsNode: its rows are properties, and not elements; insertField(_:of:holding:at:) inserts one.") {
      FieldsNode(Person(), [\.firstName]).insert("", at: 0)
    },
    Misuse("FieldsNode: its rows are properties, and not elements; removeField(at:) removes one.") {
      FieldsNode(Person(), [\.firstName]).remove(at: 0)
    },
    Misuse("FieldsNode: its rows are properties, and not elements; moveField(from:to:) moves one.") {
      FieldsNode(Person(), [\.firstName]).move(from: 0, to: 0)
    },
    Misuse("FieldsNode: the property of row 0 can only be read.") {
      FieldsNode(Person(), fields: [Field(reading: \.fullName)]).replace(at: 0, with: "x")
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
