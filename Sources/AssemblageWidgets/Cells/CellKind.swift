/// How a widget makes a cell.
public enum CellOrigin: Hashable, Sendable {
  /// The class makes the cell, without a file.
  case `class`
  /// The cell is in a nib file, which has the class's name and is in the class's bundle.
  case nib
}

/// A class of cells, and how the widget makes cells of this class.
///
/// ```swift
/// cells.register(.class(PersonCell.self)) { cell, person in cell.show(person) }
/// cells.register(.nib(PersonCell.self)) { cell, person in cell.show(person) }     // of the file PersonCell.nib
/// ```
public struct CellKind<Cell> {
  /// The class.
  public let type: Cell.Type

  /// How the widget makes a cell.
  public let origin: CellOrigin

  init(_ type: Cell.Type, _ origin: CellOrigin) {
    self.type = type
    self.origin = origin
  }

  /// A class that makes its cells, without a nib file.
  ///
  /// - Parameter type: the class.
  /// - Returns: the kind of cell.
  public static func `class`(_ type: Cell.Type) -> Self { Self(type, .class) }

  /// A class of cells that are in a nib file, which has the class's name and is in the class's bundle.
  ///
  /// - Parameter type: the class.
  /// - Returns: the kind of cell.
  public static func nib(_ type: Cell.Type) -> Self { Self(type, .nib) }

  /// The reuse identifier of the cells: the full name of the class.
  public var reuseIdentifier: String { String(reflecting: type) }

  /// The name of the nib file: the name of the class, without its module.
  public var nibName: String { String(describing: type) }
}

@available(*, unavailable)
extension CellKind: Sendable {}
