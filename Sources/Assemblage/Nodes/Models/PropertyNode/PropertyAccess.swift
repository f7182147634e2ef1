/// How a node keeps the model object that it reads and writes.
///
/// ```swift
/// final class Folder {
///   var names = ["a"]
///   // A strong reference would keep both alive for ever.
///   private(set) lazy var rows = PropertyNode(self, \.names, holding: .unowned)
/// }
/// ```
public enum ModelReference: Sendable {
  /// The node keeps the object alive.
  case strong

  /// The node does not keep the object alive, so the object must live as long as the node is used.
  ///
  /// Use it for an object that keeps the node: with strong references in both directions, neither would ever be
  /// released.
  case unowned
}

/// An array property of one object, and the comparison of its elements.
@usableFromInline
struct PropertyAccess<Element> {
  let get: () -> [Element]
  let set: ([Element]) -> Void
  /// The change from former elements to new ones.
  let difference: (_ old: [Element], _ new: [Element]) -> Delta
  /// The array property of an element that is an object with children; nil for a leaf.
  let below: (Element) -> PropertyAccess?
  /// Whether elements may be objects with children.
  let holdsNodes: Bool
  /// Whether the property can hold an element. To set the property to another element traps.
  let accepts: (Element) -> Bool

  @usableFromInline
  init(
    get: @escaping () -> [Element], set: @escaping ([Element]) -> Void,
    difference: @escaping (_ old: [Element], _ new: [Element]) -> Delta,
    below: ((Element) -> PropertyAccess?)? = nil, accepts: ((Element) -> Bool)? = nil
  ) {
    self.get = get
    self.set = set
    self.difference = difference
    self.below = below ?? { _ in nil }
    holdsNodes = below != nil
    self.accepts = accepts ?? { _ in true }
  }

  @inlinable
  init<Model: AnyObject>(
    _ model: Model, _ property: ReferenceWritableKeyPath<Model, [Element]>, _ reference: ModelReference,
    difference: @escaping (_ old: [Element], _ new: [Element]) -> Delta
  ) {
    switch reference {
    case .strong:
      self.init(
        get: { model[keyPath: property] }, set: { model[keyPath: property] = $0 }, difference: difference)
    case .unowned:
      self.init(
        get: { [unowned model] in model[keyPath: property] },
        set: { [unowned model] in model[keyPath: property] = $0 }, difference: difference)
    }
  }
}

/// One level of a tree of model objects: the array property that holds an object's children.
///
/// The tree's elements have one common type: `Any`, `AnyObject`, a protocol or a superclass. The objects and values at
/// all levels have this type. See `PropertyNode.init(_:levels:)`.
public struct PropertyLevel<Element> {
  typealias Below = (Element) -> PropertyAccess<Element>?

  /// The property of an element; nil where the element is not an object of the level's model type.
  typealias Access = (_ element: Element, _ below: @escaping Below) -> PropertyAccess<Element>?

  let access: Access
  /// Whether elements may have children.
  let holdsObjects: Bool

  /// Creates a level whose elements are objects, which are identified by their references.
  ///
  /// - Parameter property: an array property of the objects one level higher.
  public init<Model: AnyObject, Child: AnyObject>(objects property: ReferenceWritableKeyPath<Model, [Child]>) {
    self.init(property, holdsObjects: true) { Delta(from: $0, to: $1, id: { ObjectIdentifier($0) }, areEqual: ===) }
  }

  /// Creates a level of values, which are leaves and are identified by an id.
  ///
  /// - Parameters:
  ///   - property: an array property of the objects one level higher.
  ///   - id: returns the id of an element, which is unique among its siblings and stays the same when the element
  ///     changes. The closure must not change any node.
  public init<Model: AnyObject, Child: Equatable, ID: Hashable>(
    values property: ReferenceWritableKeyPath<Model, [Child]>, id: @escaping (Child) -> ID
  ) {
    self.init(property, holdsObjects: false) { Delta(from: $0, to: $1, id: id) }
  }

  /// Creates a level of `Identifiable` values, which are leaves.
  ///
  /// - Parameter property: an array property of the objects one level higher.
  public init<Model: AnyObject, Child: Identifiable & Equatable>(
    values property: ReferenceWritableKeyPath<Model, [Child]>
  ) {
    self.init(values: property, id: \.id)
  }

  /// Creates a level of `Identifiable` values, which are leaves. The id identifies a value that is also `Hashable`.
  ///
  /// - Parameter property: an array property of the objects one level higher.
  public init<Model: AnyObject, Child: Identifiable & Hashable>(
    values property: ReferenceWritableKeyPath<Model, [Child]>
  ) {
    self.init(values: property, id: \.id)
  }

  /// Creates a level of values, which are leaves and their own ids.
  ///
  /// - Parameter property: an array property of the objects one level higher.
  public init<Model: AnyObject, Child: Hashable>(values property: ReferenceWritableKeyPath<Model, [Child]>) {
    self.init(property, holdsObjects: false) { Delta(from: $0, to: $1) }
  }

  private init<Model: AnyObject, Child>(
    _ property: ReferenceWritableKeyPath<Model, [Child]>, holdsObjects: Bool,
    difference: @escaping (_ old: [Child], _ new: [Child]) -> Delta
  ) {
    self.holdsObjects = holdsObjects
    access = { element, below in
      guard let model = element as? Model else { return nil }
      return PropertyAccess(
        get: { Self.cast(model[keyPath: property], property) },
        set: { model[keyPath: property] = Self.cast($0, property) },
        difference: { difference(Self.cast($0, property), Self.cast($1, property)) }, below: below,
        accepts: { $0 is Child })
    }
  }

  /// Casts elements from the property's type to the tree's type, or back.
  private static func cast<From, To>(_ elements: [From], _ property: AnyKeyPath) -> [To] {
    if let elements = elements as? [To] { return elements }
    for element in elements where !(element is To) {
      trap("PropertyNode: \(withArticle(type(of: element))) is no \(To.self), and cannot be an element of \(property).")
    }
    return elements.map { $0 as! To }
  }
}

@available(*, unavailable)
extension PropertyLevel: Sendable {}
