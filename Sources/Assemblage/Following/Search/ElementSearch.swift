package import OffsetIndexing

/// A search in the elements of a tree whose results a filter shows.
///
/// A filter asks the search once about all elements. A predicate would be called for each element.
package protocol ElementSearch<Element> {
  associatedtype Element

  /// The root of the tree.
  var node: any TreeNode<Element> { get }

  /// The shape of the tree, with all changes so far.
  var shape: TreeIndex { get }

  /// The predicate of this search, for elements that arrive later.
  var predicate: (Element) -> Bool { get }

  /// An object that a filter keeps while the filter shows the results.
  ///
  /// The object does not keep the search's tables alive.
  var identity: AnyObject { get }

  /// Compares this search with the former one.
  ///
  /// - Parameter former: the identity of the search whose results a filter shows; nil where the filter shows no results
  ///   of a search.
  /// - Returns: the hint for the filter.
  func hint(after former: AnyObject?) -> FilterHint

  /// Finds elements.
  ///
  /// - Parameters:
  ///   - mask: the elements to search, by document number; nil for all. The answer for other elements is false.
  ///   - valueless: the answer for children without a value.
  /// - Returns: a bit for each element, by document number.
  func matches(among mask: BitRun?, valueless: Bool) -> BitRun
}
