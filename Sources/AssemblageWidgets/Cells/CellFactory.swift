/// Says which cell shows an element, and how: by the element's type, by a case of it, or by a closure.
///
/// ```swift
/// enum Entry { case person(String), gap }
///
/// var cells = CellFactory<Entry, Label>()
/// cells.register("person") { entry in
///   if case .person(let name) = entry { name } else { nil }
/// } configure: { label, name in
///   label.text = name
/// }
/// cells.register("gap") { label, _ in label.text = "" }
///
/// cells.template(for: .person("Ada")).reuseIdentifier    // "person"
/// ```
///
/// The first registration that fits an element counts. The widget takes a cell for the template's reuse identifier, a new one
/// or one that is out of sight, and the template fills it in. An element for which there is none traps, with its type.
///
/// Headers and footers of sections have a factory of their own, with elements of their own type.
public struct CellFactory<Element, Cell> {
  /// How an element is shown.
  public struct Template {
    /// What kind of cell it is: those with equal identifiers may be used again for each other.
    public let reuseIdentifier: String

    /// Fills in a cell.
    public let configure: (Cell) -> Void
  }

  private var registrations: [(Element) -> Template?] = []

  /// Creates a factory that knows no cells.
  public init() {}

  /// Registers the cells of all elements that no registration before this one fits.
  ///
  /// - Parameters:
  ///   - reuseIdentifier: what kind of cell they have.
  ///   - configure: fills in a cell.
  public mutating func register(_ reuseIdentifier: String, configure: @escaping (Cell, Element) -> Void) {
    register(reuseIdentifier, for: { $0 }, configure: configure)
  }

  /// Registers the cells of elements of one type, as where the element is a protocol or a base class.
  ///
  /// ```swift
  /// var cells = CellFactory<any Animal, Label>()
  /// cells.register("dog", for: Dog.self) { label, dog in label.text = dog.name }
  /// ```
  ///
  /// - Parameters:
  ///   - reuseIdentifier: what kind of cell they have.
  ///   - type: the type; values of its subtypes fit too.
  ///   - configure: fills in a cell.
  public mutating func register<Part>(
    _ reuseIdentifier: String, for type: Part.Type, configure: @escaping (Cell, Part) -> Void
  ) {
    register(reuseIdentifier, for: { $0 as? Part }, configure: configure)
  }

  /// Registers the cells of those elements of which a closure makes something, as of one case of an enumeration.
  ///
  /// - Parameters:
  ///   - reuseIdentifier: what kind of cell they have.
  ///   - part: what the cell shows of an element; nil where this registration does not fit.
  ///   - configure: fills in a cell.
  public mutating func register<Part>(
    _ reuseIdentifier: String, for part: @escaping (Element) -> Part?, configure: @escaping (Cell, Part) -> Void
  ) {
    registrations.append { element in
      part(element).map { part in Template(reuseIdentifier: reuseIdentifier) { configure($0, part) } }
    }
  }

  /// How an element is shown.
  ///
  /// - Parameter element: any element that a registration fits; another one traps.
  /// - Returns: the template of the first registration that fits.
  /// - Complexity: O(r) for r registrations.
  public func template(for element: Element) -> Template {
    for registration in registrations { if let template = registration(element) { return template } }
    let type = type(of: element as Any)
    fatalError("CellFactory: no cell is registered for a \(type); register one, or one for all other elements.")
  }
}

@available(*, unavailable)
extension CellFactory: Sendable {}

@available(*, unavailable)
extension CellFactory.Template: Sendable {}
