/// A node whose children are properties of a model object, which edits of the node set.
///
/// ```swift
/// final class Person { var firstName = "Ada"; var lastName = "King" }
/// let person = Person()
/// let rows = FieldsNode(person, [\.firstName, \.lastName])
/// rows.replace(at: 1, with: "Lovelace")
/// person.lastName             // "Lovelace"
/// person.firstName = "A."
/// rows.elements               // ["Ada", "Lovelace"]: the node has not read the property again yet
/// rows.refresh()         // reports an update of 0
/// ```
///
/// After the owner of the object has changed a property, the owner calls `refresh()`. For `@Observable` objects,
/// `observeModel()` makes this call unnecessary. Until then, the node shows the values that it last read, so it is
/// settled at all times. A property's setter may change the value that a row writes, or other properties. The node then
/// shows the resulting values in all rows. A setter may let other nodes read the properties again, but it should not
/// edit nodes: a rollback or an undo would revert such an edit twice.
///
/// Views and other users of the node can only replace the values of rows. They cannot insert, remove or move rows. The
/// owner of the node decides which properties it shows, with `insertField(_:of:holding:at:)`, `removeField(at:)` and
/// `moveField(from:to:)`. A transaction that is rolled back and an `UndoLog` set the properties to their former values.
/// This includes the owner's own changes that `refresh()` reported.
public final class FieldsNode<Element>: TreeNode, ReadableNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let state: Cell<State>
  private let functions: NodeReader<Element>.Functions
  private var rows: [Row]
  private let areEqual: (Element, Element) -> Bool
  /// Notifies this node of changes of an observable model.
  private var following: ModelFollowing?

  /// A property of an object.
  private struct Row {
    let get: () -> Element
    let set: ((Element) -> Void)?

    init<Model: AnyObject>(_ field: Field<Model, Element>, of model: Model, holding reference: ModelReference) {
      switch reference {
      case .strong:
        get = { field.get(model) }
        set = field.set.map { set in { set(model, $0) } }
      case .unowned:
        get = { [unowned model] in field.get(model) }
        set = field.set.map { set in { [unowned model] in set(model, $0) } }
      }
    }
  }

  /// The values that were last read.
  struct State: ElementsState, ~Copyable {
    var elements: [Element]
    /// Whether the node is setting a property.
    var isWriting = false
  }

  /// Creates a node of properties, some of which may be converted or only read.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - fields: the rows, in order.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  ///   - areEqual: returns whether a row's value is unchanged when its property is read again.
  /// - Complexity: O(n) for n rows.
  public init<Model: AnyObject>(
    _ model: Model, fields: [Field<Model, Element>], holding reference: ModelReference = .strong,
    areEqual: @escaping (Element, Element) -> Bool
  ) {
    rows = fields.map { Row($0, of: model, holding: reference) }
    self.areEqual = areEqual
    state = Cell(State(elements: rows.map { $0.get() }))
    functions = .reading(State.self)
    hub.attach(to: self)
    hub.state.value.nesting = .none
  }

  /// Creates a node of properties, some of which may be converted or only read.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - fields: the rows, in order.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  /// - Complexity: O(n) for n rows.
  public convenience init<Model: AnyObject>(
    _ model: Model, fields: [Field<Model, Element>], holding reference: ModelReference = .strong
  ) where Element: Equatable {
    self.init(model, fields: fields, holding: reference, areEqual: ==)
  }

  /// Creates a node of properties of one type.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - properties: the rows' properties, in order.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  /// - Complexity: O(n) for n rows.
  public convenience init<Model: AnyObject>(
    _ model: Model, _ properties: [ReferenceWritableKeyPath<Model, Element>],
    holding reference: ModelReference = .strong
  ) where Element: Equatable {
    self.init(model, fields: properties.map { Field($0) }, holding: reference)
  }

  deinit {
    hub.detach()
    following?.end()
    state.destroy()
  }

  // MARK: Reading

  public var count: Int { state.value.count }

  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "FieldsNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  // MARK: Updating

  /// Reads all properties again, and reports the rows whose values differ.
  ///
  /// Call it after the properties have changed, and as often as you like: where nothing has changed, nothing is
  /// reported.
  ///
  /// - Complexity: O(n) for n rows, and the propagation.
  public func refresh() {
    guard !state.value.isWriting else { return }
    hub.prepareForChange()
    takeIn(read())
  }

  private func read() -> [Element] { hub.refusingChanges { rows.map { $0.get() } } }

  /// Shows other values, and reports the difference.
  ///
  /// - Parameters:
  ///   - new: the values of the properties now.
  ///   - written: the row that was written, and the value; the row is reported in any case.
  private func takeIn(_ new: [Element], after written: (position: Int, element: Element)? = nil) {
    let former = state.value.elements
    let (changed, isRefused) = hub.refusingChanges {
      let changed = former.indices.filter { $0 == written?.position || !areEqual(former[$0], new[$0]) }
      guard let (position, element) = written, changed == [position] else { return (changed, false) }
      return (changed, areEqual(former[position], new[position]) && !areEqual(new[position], element))
    }
    guard !changed.isEmpty else { return hub.carry(ChangeSet()) }
    let change = ChangeSet(Delta(updates: changed.map { $0..<$0 + 1 }))
    // The row is drawn again, but there is nothing to undo.
    if isRefused { return hub.carry(change) }
    state.value.elements = new
    hub.publish(change, inverse: { [self] in restore(changed, of: former) })
    withExtendedLifetime(former) {}
  }

  /// Sets the properties of some rows to their former values.
  private func restore(_ changed: [Int], of former: [Element]) {
    write(changed.compactMap { position in rows[position].set.map { (position, $0, former[position]) } })
    // Rows that can only be read may follow the other rows, or may not.
    let isRestored = hub.refusingChanges { changed.allSatisfy { areEqual(state.value.elements[$0], former[$0]) } }
    if !isRestored { hub.rollsBackPartly() }
  }

  private func write(_ values: [(position: Int, set: (Element) -> Void, element: Element)]) {
    hub.prepareForChange()
    require(
      !state.value.isWriting, "FieldsNode: the setter of a property changed the node that was setting the property.")
    state.value.isWriting = true
    for (_, set, element) in values { set(element) }
    if values.count > 1 {
      // The setter of one property may have changed another one that had been set before.
      for (position, set, element) in values
      where !hub.refusingChanges({ areEqual(rows[position].get(), element) }) { set(element) }
    }
    state.value.isWriting = false
    takeIn(read(), after: values.count == 1 ? (values[0].position, values[0].element) : nil)
  }

  // MARK: Fields

  /// Inserts a row that shows a property.
  ///
  /// Observers receive one insertion at `position`.
  ///
  /// ```swift
  /// let rows = FieldsNode(person, [\.firstName])
  /// rows.insertField(Field(\.lastName), of: person, at: 1)
  /// rows.elements               // ["Ada", "King"]
  /// ```
  ///
  /// - Parameters:
  ///   - field: the property.
  ///   - model: the object with the property; it may differ from the object of the other rows.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  ///   - position: `0...count`, the position of the new row.
  /// - Complexity: O(n) for n rows, and the propagation.
  public func insertField<Model: AnyObject>(
    _ field: Field<Model, Element>, of model: Model, holding reference: ModelReference = .strong, at position: Int
  ) {
    checkInsertion(position, in: count, of: "FieldsNode")
    insert(Row(field, of: model, holding: reference), at: position)
  }

  private func insert(_ row: Row, at position: Int, showing former: Element? = nil) {
    prepareForFields()
    let (element, isFormer) = hub.refusingChanges {
      let element = row.get()
      return (element, former.map { areEqual($0, element) } ?? true)
    }
    rows.insert(row, at: position)
    state.value.elements.insert(element, at: position)
    following?.follow(self)
    hub.publish(ChangeSet(.insertion(position..<position + 1)), inverse: { [self] in removeField(at: position) })
    // The property was changed while it had no row in this node.
    if !isFormer { hub.rollsBackPartly() }
  }

  private func prepareForFields() {
    hub.prepareForChange()
    require(
      !state.value.isWriting, "FieldsNode: the setter of a property changed the node that was setting the property.")
  }

  /// Removes a row; the property keeps its value.
  ///
  /// Observers receive one removal at `position`.
  ///
  /// - Parameter position: `0..<count`.
  /// - Complexity: O(n) for n rows, and the propagation.
  public func removeField(at position: Int) {
    checkPosition(position, in: count, of: "FieldsNode")
    prepareForFields()
    let row = rows.remove(at: position)
    let element = state.value.elements.remove(at: position)
    hub.publish(
      ChangeSet(.removal(position..<position + 1)),
      inverse: { [self] in insert(row, at: position, showing: element) })
    // Released last, because the object that the row kept alive may use this node while it is released.
    withExtendedLifetime((row, element)) {}
  }

  /// Moves a row to another place.
  ///
  /// Observers receive one move, or nothing where both positions are the same.
  ///
  /// - Parameters:
  ///   - position: `0..<count`, before the move.
  ///   - destination: `0..<count`, after the move.
  /// - Complexity: O(n) for n rows, and the propagation.
  public func moveField(from position: Int, to destination: Int) {
    checkPosition(position, in: count, of: "FieldsNode")
    checkPosition(destination, in: count, of: "FieldsNode")
    guard position != destination else { return }
    prepareForFields()
    rows.insert(rows.remove(at: position), at: destination)
    let element = state.value.elements.remove(at: position)
    state.value.elements.insert(element, at: destination)
    hub.publish(
      ChangeSet(.move(position..<position + 1, to: destination)),
      inverse: { [self] in moveField(from: destination, to: position) })
  }
}

@available(*, unavailable)
extension FieldsNode: Sendable {}

extension FieldsNode: WritableNode {
  /// Whether an edit replaces the value of a row whose property can be set; only the owner decides which properties
  /// there are.
  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    edit == .replace && rows.indices.contains(position) && rows[position].set != nil
  }

  /// Sets the property of a row.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - element: the new value.
  /// - Precondition: the row's property can be written.
  /// - Complexity: O(n) for n rows, because a setter may change other properties, and the propagation.
  public func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "FieldsNode")
    guard let set = rows[position].set else {
      trap("FieldsNode: the property of row \(position) can only be read.")
    }
    performUpdates { write([(position, set, element)]) }
  }

  /// Traps: rows are properties; see `insertField(_:of:holding:at:)`.
  public func insert(_ element: Element, at position: Int) {
    trap("FieldsNode: its rows are properties, and not elements; insertField(_:of:holding:at:) inserts one.")
  }

  /// Traps: rows are properties; see `removeField(at:)`.
  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    trap("FieldsNode: its rows are properties, and not elements; removeField(at:) removes one.")
  }

  /// Traps: rows are properties; see `moveField(from:to:)`.
  public func move(from position: Int, to destination: Int) {
    trap("FieldsNode: its rows are properties, and not elements; moveField(from:to:) moves one.")
  }
}

extension FieldsNode: ModelFollower {
  func readModel() -> () -> Void {
    let elements = read()
    return { self.takeIn(elements) }
  }

  /// Follows the changes of an `@Observable` model from now on, without calls of `refresh()`.
  ///
  /// The node behaves like `PropertyNode.observeModel(isolation:)`. The node shows a change in a later task of its
  /// actor, and several changes as one. A caller that cannot wait calls `refresh()`.
  ///
  /// - Parameter isolation: the actor of the node and the model, on which this method is called.
  /// - Complexity: O(n) for n rows.
  public func observeModel(isolation: isolated any Actor = #isolation) {
    guard following == nil else { return }
    following = ModelRelay(isolation: isolation).follow(self)
  }
}
