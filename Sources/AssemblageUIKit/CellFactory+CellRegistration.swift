// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  public import AssemblageWidgets
  import Foundation
  public import UIKit

  extension CellFactory where Cell == UICollectionViewCell {
    /// Registers the cells of a registration of UIKit, for all elements that no registration before this one fits.
    ///
    /// ```swift
    /// let registration = UICollectionView.CellRegistration<PersonCell, Person> { cell, _, person in cell.show(person) }
    /// cells.rows.register(registration)
    /// ```
    ///
    /// - Parameter registration: makes and configures the cells. UIKit refuses a registration that is made while the
    ///   view asks for a cell.
    @MainActor
    public mutating func register<Kind: UICollectionViewCell>(
      _ registration: UICollectionView.CellRegistration<Kind, Element>
    ) {
      register(registration, for: { $0 })
    }

    /// Registers the cells of a registration of UIKit, for all elements for which a closure yields a part, for example
    /// of one case of an enumeration.
    ///
    /// - Parameters:
    ///   - registration: makes and configures the cells.
    ///   - part: yields the part of an element that the cell shows; nil if this registration does not fit.
    @MainActor
    public mutating func register<Kind: UICollectionViewCell, Part>(
      _ registration: UICollectionView.CellRegistration<Kind, Part>, for part: @escaping (Element) -> Part?
    ) {
      register(RegisteredCells(registration), for: part)
    }
  }

  /// Makes and configures the cells of a registration of UIKit.
  @MainActor
  protocol CollectionCellMaking: AnyObject {
    func cell(in collection: UICollectionView, at path: IndexPath, showing part: Any) -> UICollectionViewCell
  }

  @MainActor
  private final class RegisteredCells<Kind: UICollectionViewCell, Part>: CollectionCellMaking {
    private let registration: UICollectionView.CellRegistration<Kind, Part>

    init(_ registration: UICollectionView.CellRegistration<Kind, Part>) { self.registration = registration }

    func cell(in collection: UICollectionView, at path: IndexPath, showing part: Any) -> UICollectionViewCell {
      collection.dequeueConfiguredReusableCell(using: registration, for: path, item: part as? Part)
    }
  }
#endif
