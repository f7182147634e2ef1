package import Assemblage
import AssemblageSearch
package import AssemblageTesting

/// Three indices of one node of a pipeline: of its rows by id, of the totals of its rows, and of their texts.
package final class PipelineIndices {
  private let identities: IdentityIndex<PipelineRow, Int>
  private let totals: AggregateIndex<PipelineRow, Int>
  private let texts: TextIndex<PipelineRow>

  /// Creates the indices of a node.
  package init(of node: any TreeNode<PipelineRow>) {
    identities = IdentityIndex(of: node, id: \.id)
    totals = AggregateIndex(of: node, .sum(Self.contribution))
    texts = TextIndex(of: node, text: Self.text)
  }

  private static func contribution(of row: PipelineRow) -> Int { row.id % 89 + row.version }

  private static func text(of row: PipelineRow) -> String { "\(row.id)v\(row.version)" }

  /// Parts of texts: some occur often, and some seldom.
  private static let patterns = ["1", "2v", "v3", "41"]

  /// Compares the indices with the contents of the node.
  ///
  /// - Returns: a sentence about the first difference; nil if there is none.
  package func difference(from tree: NaiveTree<PipelineRow>) -> String? {
    var paths: [Int: [IndexPath]] = [:]
    var matches = [[IndexPath]](repeating: [], count: Self.patterns.count)
    var finding: String?
    func total(of tree: NaiveTree<PipelineRow>, at path: IndexPath) -> Int {
      var sum = tree.value.map(Self.contribution) ?? 0
      if !path.isEmpty {
        if let row = tree.value {
          paths[row.id, default: []].append(path)
          let text = Self.text(of: row)
          for (number, pattern) in Self.patterns.enumerated() where text.contains(pattern) {
            matches[number].append(path)
          }
        }
        let id = identities.id(at: path)
        if id != tree.value?.id { finding = finding ?? "the id at \(path) is \(id.code)" }
      }
      for (position, child) in tree.children.enumerated() { sum += total(of: child, at: path.appending(position)) }
      let known = totals.total(at: path)
      if known != sum { finding = finding ?? "the total at \(path) is \(known) instead of \(sum)" }
      return sum
    }
    _ = total(of: tree, at: [])
    for (id, expected) in paths where finding == nil {
      let known = identities.paths(of: id)
      if known != expected { finding = "the paths of \(id) are \(known) instead of \(expected)" }
    }
    let count = paths.values.reduce(0) { $0 + $1.count }
    if identities.count != count { finding = finding ?? "\(identities.count) rows are known instead of \(count)" }
    for (pattern, expected) in zip(Self.patterns, matches) where finding == nil {
      let known = texts.paths(for: .substring(pattern))
      if known != expected { finding = "the paths of texts with \(pattern) are \(known) instead of \(expected)" }
    }
    return finding
  }
}

extension Int? {
  fileprivate var code: String { map(String.init) ?? "nil" }
}

@available(*, unavailable)
extension PipelineIndices: Sendable {}
