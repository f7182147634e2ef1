#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Foundation's comparators, for example `KeyPathComparator` and `SortDescriptor`.

extension SortNode {
  /// Creates a view sorted by Foundation's comparators, for example the sort order of a table in SwiftUI.
  ///
  /// ```swift
  /// let sorted = SortNode(people, using: [KeyPathComparator(\.name), KeyPathComparator(\.age, order: .reverse)])
  /// ```
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - comparators: a later comparator decides where all earlier ones tie; none for the source's order.
  /// - Complexity: O(n · log n) for n children.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, using comparators: [some SortComparator<Element>]) {
    self.init(source, by: Self.comparator(comparators))
  }

  /// Sorts by Foundation's comparators: see `setComparator(_:)`.
  ///
  /// - Parameter comparators: a later comparator decides where all earlier ones tie; none for the source's order.
  /// - Complexity: O(n · log n) for n children, and the propagation.
  public func setComparator(using comparators: [some SortComparator<Element>]) {
    setComparator(Self.comparator(comparators))
  }

  /// The comparator's closure; nil for no comparators.
  @inlinable
  static func comparator(_ comparators: [some SortComparator<Element>]) -> Comparator? {
    comparators.isEmpty ? nil : { comparators.compare($0, $1) == .orderedAscending }
  }
}

extension TreeSortNode {
  /// Creates a view sorted by Foundation's comparators, at every depth.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - comparators: a later comparator decides where all earlier ones tie; none for the source's order.
  /// - Complexity: O(n · log n) for the n children of the root.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, using comparators: [some SortComparator<Element>]) {
    self.init(source, by: SortNode<Element>.comparator(comparators))
  }

  /// Sorts by Foundation's comparators, at every depth: see `setComparator(_:)`.
  ///
  /// - Parameter comparators: a later comparator decides where all earlier ones tie; none for the source's order.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator(using comparators: [some SortComparator<Element>]) {
    setComparator(SortNode<Element>.comparator(comparators))
  }
}
