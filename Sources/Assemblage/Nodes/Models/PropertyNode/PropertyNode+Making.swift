extension PropertyNode {
  @inlinable
  convenience init<Model: AnyObject>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, _ reference: ModelReference,
    difference: @escaping (_ old: [Element], _ new: [Element]) -> Delta
  ) {
    self.init(
      value: nil, PropertyAccess(model, property, reference, difference: difference), .reading(State.self))
  }

  /// Creates a node of an array property whose elements are identified by an id.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - property: the object's property. The getter must not change any node.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  ///   - id: returns the id of an element, which stays the same when the element changes. The closure must not change
  ///     any node.
  ///   - areEqual: returns whether an element is unchanged when the property is read again.
  /// - Complexity: O(1), and reading the property.
  @inlinable
  public convenience init<Model: AnyObject, ID: Hashable>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, holding reference: ModelReference = .strong,
    id: @escaping (Element) -> ID, areEqual: @escaping (Element, Element) -> Bool
  ) {
    self.init(model, property, reference) { Delta(from: $0, to: $1, id: id, areEqual: areEqual) }
  }

  /// Creates a node of an array property whose elements are identified by an id, and updated where they are not equal.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - property: the object's property. The getter must not change any node.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  ///   - id: returns the id of an element, which stays the same when the element changes. The closure must not change
  ///     any node.
  /// - Complexity: O(1), and reading the property.
  @inlinable
  public convenience init<Model: AnyObject, ID: Hashable>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, holding reference: ModelReference = .strong,
    id: @escaping (Element) -> ID
  ) where Element: Equatable {
    self.init(model, property, holding: reference, id: id, areEqual: ==)
  }

  /// Creates a node of an array property whose elements are their own ids: equal elements are the same element.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - property: the object's property. The getter must not change any node.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  /// - Complexity: O(1), and reading the property.
  @inlinable
  public convenience init<Model: AnyObject>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, holding reference: ModelReference = .strong
  ) where Element: Hashable {
    self.init(model, property, reference) { Delta(from: $0, to: $1) }
  }

  /// Creates a node of an array property whose elements are `Identifiable`, and updated where they are not equal.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - property: the object's property. The getter must not change any node.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  /// - Complexity: O(1), and reading the property.
  @inlinable
  public convenience init<Model: AnyObject>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, holding reference: ModelReference = .strong
  ) where Element: Identifiable & Equatable {
    self.init(model, property, holding: reference, id: \.id)
  }

  /// Creates a node of an array property whose elements are `Identifiable`, and updated where they are not equal.
  ///
  /// This initializer decides between two others for elements that are also `Hashable`: the id identifies the element.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - property: the object's property. The getter must not change any node.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  /// - Complexity: O(1), and reading the property.
  @inlinable
  public convenience init<Model: AnyObject>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, holding reference: ModelReference = .strong
  ) where Element: Identifiable & Hashable {
    self.init(model, property, holding: reference, id: \.id)
  }

  /// Creates a node of an array property whose elements are objects, which are identified by their references.
  ///
  /// The owner reports a change inside an object with `update(at:)`.
  ///
  /// - Parameters:
  ///   - model: the object.
  ///   - property: the object's property. The getter must not change any node.
  ///   - reference: whether the node keeps the object alive; if not, the object must be alive whenever the node is
  ///     written or refreshed.
  /// - Complexity: O(1), and reading the property.
  @inlinable
  public convenience init<Model: AnyObject>(
    _ model: Model, objects property: ReferenceWritableKeyPath<Model, [Element]>,
    holding reference: ModelReference = .strong
  ) where Element: AnyObject {
    self.init(model, property, reference) { Delta(from: $0, to: $1, id: { ObjectIdentifier($0) }, areEqual: ===) }
  }

  /// Creates a tree from one property for each level.
  ///
  /// ```swift
  /// let tree = PropertyNode<AnyObject>(
  ///   company, levels: [PropertyLevel(objects: \Company.departments), PropertyLevel(objects: \Department.people)])
  /// tree.insert(ada, at: [1, 0])            // ada is the first of the second department's people
  /// company.departments[1].people.first     // ada
  /// ```
  ///
  /// An element that is not an object of the next level's model type is a leaf.
  ///
  /// - Parameters:
  ///   - root: the object at the root, which the node keeps alive.
  ///   - levels: the property that holds the root's children, then the property that holds their children, and so on.
  /// - Precondition: there is a level, the root is an object of the first level's model type, and only the last level
  ///   may be one of values.
  /// - Complexity: O(n) for the n children of the root.
  public convenience init(_ root: Element, levels: [PropertyLevel<Element>]) {
    require(!levels.isEmpty, "PropertyNode: a tree needs the property of one level at least.")
    require(
      levels.dropLast().allSatisfy { $0.holdsObjects },
      "PropertyNode: a level of values is followed by another one, but values have no properties that could be written."
    )
    func access(_ element: Element, _ depth: Int) -> PropertyAccess<Element>? {
      guard depth < levels.count else { return nil }
      return levels[depth].access(element) { access($0, depth + 1) }
    }
    self.init(root, access(root, 0))
  }

  /// Creates a tree in which the same property holds the children at every level.
  ///
  /// ```swift
  /// let tree = PropertyNode(home, repeating: PropertyLevel(objects: \Folder.folders))
  /// ```
  ///
  /// - Parameters:
  ///   - root: the object at the root, which the node keeps alive.
  ///   - level: the property that holds the children; elements that are not objects of its model type are leaves.
  /// - Precondition: the root is an object of the level's model type. The objects form a tree, not a cycle.
  /// - Complexity: O(n) for the n children of the root.
  public convenience init(_ root: Element, repeating level: PropertyLevel<Element>) {
    func access(_ element: Element) -> PropertyAccess<Element>? { level.access(element, access) }
    self.init(root, level.holdsObjects ? access(root) : level.access(root) { _ in nil })
  }

  private convenience init(_ root: Element, _ access: PropertyAccess<Element>?) {
    guard let access else {
      trap("PropertyNode: the root is \(withArticle(type(of: root))), which has not the first level's property.")
    }
    self.init(value: root, access, .reading(State.self))
  }
}
