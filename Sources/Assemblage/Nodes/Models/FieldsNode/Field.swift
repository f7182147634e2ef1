/// One property of a model object, as a row of a `FieldsNode`.
///
/// ```swift
/// let fields: [Field<Person, String>] = [
///   Field(\.firstName), Field(\.lastName),
///   Field(\.age, show: { "\($0)" }, parse: { Int($0) }),
/// ]
/// ```
public struct Field<Model: AnyObject, Element> {
  let get: (Model) -> Element
  /// Sets the property; nil where the property can only be read.
  let set: ((Model, Element) -> Void)?

  /// Creates a row that shows a property and can set it.
  ///
  /// - Parameter property: a property of the row's type.
  public init(_ property: ReferenceWritableKeyPath<Model, Element>) {
    get = { $0[keyPath: property] }
    set = { $0[keyPath: property] = $1 }
  }

  /// Creates a row that shows a property and cannot set it.
  ///
  /// - Parameter property: a property of the row's type.
  public init(reading property: KeyPath<Model, Element>) {
    get = { $0[keyPath: property] }
    set = nil
  }

  /// Creates a row that shows a property of another type and can set it.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - show: makes the row's value from the property's value. The closure must not change any node.
  ///   - parse: makes the property's value from the row's value. Where the closure returns nil, the property keeps its
  ///     value.
  public init<Value>(
    _ property: ReferenceWritableKeyPath<Model, Value>, show: @escaping (Value) -> Element,
    parse: @escaping (Element) -> Value?
  ) {
    get = { show($0[keyPath: property]) }
    set = { model, element in
      if let value = parse(element) { model[keyPath: property] = value }
    }
  }
}

@available(*, unavailable)
extension Field: Sendable {}
