@_spi(NodeAuthors) import Assemblage
import AssemblageTesting

// The example of Docs/WritingYourOwnNode.md: `GuideCodeTests` compares this file with it.

/// The positions of a source's children below a header, which exists while the source has children.
struct HeadedTranslation {
  private(set) var sourceCount: Int

  init(sourceCount: Int) { self.sourceCount = sourceCount }

  var headerCount: Int { sourceCount == 0 ? 0 : 1 }
  var count: Int { headerCount + sourceCount }

  /// The position in the source, or nil for the header.
  func sourcePosition(of position: Int) -> Int? {
    position < headerCount ? nil : position - headerCount
  }

  mutating func translate(_ change: ChangeSet) -> ChangeSet {
    let former = self
    sourceCount += change.delta.countChange
    let (before, after) = (former.headerCount, headerCount)
    // The new order, from left to right. A header that is not kept has left.
    var builder = Delta.Builder()
    if before == after { builder.keep(0..<after) } else { builder.insert(after) }
    builder.append(change.delta, preStart: before, preCount: former.sourceCount, postCount: sourceCount)
    var result = change
    let delta = builder.finish(preCount: former.count)
    NodeAuthor.translate(&result, to: delta, before: { $0 + before }, after: { $0 + after })
    return result
  }
}

/// A source's children below a header of their own. Without children there is no header.
final class HeadedNode<Element>: TreeNode {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  let source: any TreeNode<Element>
  let translation: NodeBox<HeadedTranslation>

  init(_ header: Element, _ source: any TreeNode<Element>) {
    self.header = header
    self.source = source
    translation = author.box(HeadedTranslation(sourceCount: source.count))
    author.attach(to: self) { $0.translation.value.translate($1[0].change) }
    author.link(source, slot: 0)
  }

  /// The first child, above the source's children.
  private(set) var header: Element

  func setHeader(_ header: Element) {
    author.prepareForChange()
    let former = self.header
    self.header = header
    author.publish(isEmpty ? ChangeSet() : ChangeSet(.update(0..<1)), inverse: { [self] in setHeader(former) })
  }

  var value: Element? { source.value }
  var count: Int { translation.value.count }

  func element(at position: Int) -> Element? {
    guard position >= 0, position < count else { return nil }
    guard let place = translation.value.sourcePosition(of: position) else { return header }
    return source.element(at: place)
  }

  func child(at position: Int) -> (any TreeNode<Element>)? {
    guard position >= 0, position < count else { return nil }
    return translation.value.sourcePosition(of: position).flatMap { source.child(at: $0) }
  }
}

extension HeadedNode: PositionMapping {
  var mappedSources: [any TreeNode<Element>] { [source] }

  func sourcePlace(of position: Int) -> SourcePlace? {
    translation.value.sourcePosition(of: position).map { SourcePlace(source: 0, position: $0) }
  }

  func position(of place: SourcePlace) -> Int? { place.position + translation.value.headerCount }
}
