import Assemblage
import OffsetIndexing

/// A query in an index, in the form that a filter uses.
struct TextSearch<Element>: ElementSearch {
  private let query: TextQuery
  private let index: TextIndex<Element>

  /// Creates a search. The query is folded as the index folds its texts.
  init(_ query: TextQuery, in index: TextIndex<Element>) {
    self.query = query.folded(by: index.folding)
    self.index = index
  }

  var node: any TreeNode<Element> { index.node }

  var shape: TreeIndex {
    index.catchUp()
    return index.shape
  }

  var predicate: (Element) -> Bool {
    // The predicate does not need the index.
    { [query, text = index.text] in query.matches(text($0)) }
  }

  var identity: AnyObject { SearchIdentity(query, index, readingCount: index.readingCount) }

  func hint(after former: AnyObject?) -> FilterHint {
    guard let former = former as? SearchIdentity, former.index === index else { return .different }
    // The index may read texts again.
    index.catchUp()
    if query.isNarrower(than: former.query) {
      // A text that was read since the former search may match, and its element is hidden.
      return former.readingCount == index.readingCount ? .stricter : .different
    }
    return former.query.isNarrower(than: query) ? .looser : .different
  }

  func matches(among mask: BitRun?, valueless: Bool) -> BitRun {
    index.search(query, among: mask, valueless: valueless)
  }
}

/// The identity of a search whose results a filter shows.
private final class SearchIdentity {
  let query: TextQuery
  /// The index is only compared.
  private(set) weak var index: AnyObject?
  /// How often the index had read texts that were left for later.
  let readingCount: Int

  init(_ query: TextQuery, _ index: AnyObject, readingCount: Int) {
    self.query = query
    self.index = index
    self.readingCount = readingCount
  }
}
