/// Chooses the cell for an element, and configures the cell.
///
/// The choice depends on the element's type, on its case, or on a closure.
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
/// The first registration that fits an element counts. The widget uses a cell with the template's reuse identifier: a
/// new cell, or a cell that is out of sight. The template configures this cell. An element without a registration
/// traps, with its type.
///
/// A registration names a reuse identifier, or a class of cells. With a class, the closure receives a cell of this
/// class, and the widget registers the class by itself:
///
/// ```swift
/// var cells = CellFactory<Person, UITableViewCell>()
/// cells.register(.nib(PersonCell.self)) { cell, person in cell.nameLabel.text = person.name }
/// ```
///
/// Headers and footers have factories of their own: see `SectionCells`.
public struct CellFactory<Element, Cell> {
  /// The reuse identifier and the configuration of an element's cell.
  public struct Template {
    /// The kind of cell: a cell may be used again for each element with an equal identifier.
    public let reuseIdentifier: String

    /// Configures a cell.
    public let configure: (Cell) -> Void

    /// The view's own registration, and the part of the element that its cell shows, if the view makes and configures
    /// the cell by itself.
    package private(set) var registration: (maker: AnyObject, part: Any)?
  }

  private var registrations: [(Element) -> Template?] = []

  /// The kinds of cells that were registered by their class. The widget registers them when it gets the factory.
  public private(set) var kinds: [CellKind<Cell>] = []

  /// Whether nothing is registered.
  public var isEmpty: Bool { registrations.isEmpty }

  /// Creates a factory without registrations.
  public init() {}

  /// Registers the cells of all elements that no registration before this one fits.
  ///
  /// - Parameters:
  ///   - reuseIdentifier: the kind of cell.
  ///   - configure: configures a cell.
  public mutating func register(_ reuseIdentifier: String, configure: @escaping (Cell, Element) -> Void) {
    register(reuseIdentifier, for: { $0 }, configure: configure)
  }

  /// Registers the cells of elements of one type, for example where `Element` is a protocol or a base class.
  ///
  /// ```swift
  /// var cells = CellFactory<any Animal, Label>()
  /// cells.register("dog", for: Dog.self) { label, dog in label.text = dog.name }
  /// ```
  ///
  /// - Parameters:
  ///   - reuseIdentifier: the kind of cell.
  ///   - type: the type; values of its subtypes fit too.
  ///   - configure: configures a cell.
  public mutating func register<Part>(
    _ reuseIdentifier: String, for type: Part.Type, configure: @escaping (Cell, Part) -> Void
  ) {
    register(reuseIdentifier, for: { $0 as? Part }, configure: configure)
  }

  /// Registers the cells of all elements for which a closure yields a part, for example of one case of an enumeration.
  ///
  /// - Parameters:
  ///   - reuseIdentifier: the kind of cell.
  ///   - part: yields the part of an element that the cell shows; nil if this registration does not fit.
  ///   - configure: configures a cell.
  public mutating func register<Part>(
    _ reuseIdentifier: String, for part: @escaping (Element) -> Part?, configure: @escaping (Cell, Part) -> Void
  ) {
    registrations.append { element in
      part(element).map { part in Template(reuseIdentifier: reuseIdentifier) { configure($0, part) } }
    }
  }

  /// Registers cells that a view makes and configures by itself.
  ///
  /// - Parameters:
  ///   - maker: the view's own registration, which the adapter knows.
  ///   - part: yields the part of an element that the cell shows; nil if this registration does not fit.
  package mutating func register<Part>(_ maker: AnyObject, for part: @escaping (Element) -> Part?) {
    // No other registration has the identifier, because the closure keeps the object alive.
    let identifier = "registration \(ObjectIdentifier(maker))"
    registrations.append { element in
      part(element).map { part in
        Template(reuseIdentifier: identifier, configure: { _ in }, registration: (maker, part))
      }
    }
  }

  // MARK: By the class of the cell

  /// Registers a class of cells for all elements that no registration before this one fits.
  ///
  /// - Parameters:
  ///   - kind: `.class(PersonCell.self)` or `.nib(PersonCell.self)`: a subclass of `Cell`; another class traps.
  ///   - configure: configures a cell of this class.
  public mutating func register<Kind>(_ kind: CellKind<Kind>, configure: @escaping (Kind, Element) -> Void) {
    register(kind, for: { $0 }, configure: configure)
  }

  /// Registers a class of cells for the elements of one type.
  ///
  /// - Parameters:
  ///   - kind: `.class(DogCell.self)` or `.nib(DogCell.self)`: a subclass of `Cell`; another class traps.
  ///   - type: the type of the elements; values of its subtypes fit too.
  ///   - configure: configures a cell of this class.
  public mutating func register<Kind, Part>(
    _ kind: CellKind<Kind>, for type: Part.Type, configure: @escaping (Kind, Part) -> Void
  ) {
    register(kind, for: { $0 as? Part }, configure: configure)
  }

  /// Registers a class of cells for all elements for which a closure yields a part, for example of one case of an
  /// enumeration.
  ///
  /// - Parameters:
  ///   - kind: `.class(PersonCell.self)` or `.nib(PersonCell.self)`: a subclass of `Cell`; another class traps.
  ///   - part: yields the part of an element that the cell shows; nil if this registration does not fit.
  ///   - configure: configures a cell of this class.
  public mutating func register<Kind, Part>(
    _ kind: CellKind<Kind>, for part: @escaping (Element) -> Part?, configure: @escaping (Kind, Part) -> Void
  ) {
    guard let type = kind.type as? Cell.Type else {
      fatalError("CellFactory: \(Kind.self) is no subclass of \(Cell.self).")
    }
    kinds.append(CellKind(type, kind.origin))
    register(kind.reuseIdentifier, for: part) { cell, part in
      guard let cell = cell as? Kind else {
        fatalError("CellFactory: the widget has made a \(Swift.type(of: cell)) for \(Kind.self): check the nib.")
      }
      configure(cell, part)
    }
  }

  /// The reuse identifier and the configuration of an element's cell.
  ///
  /// - Parameter element: any element that a registration fits; any other element traps.
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
