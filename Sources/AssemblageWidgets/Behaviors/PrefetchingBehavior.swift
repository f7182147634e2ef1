public import Assemblage

/// A behavior that requests rows before the user sees them.
///
/// A `PagedNode` conforms by itself and needs no added behavior.
public protocol PrefetchingBehavior: Behavior {
  /// Rows are about to be visible.
  ///
  /// - Parameters:
  ///   - rows: positions in the behavior's node: from the first row that is visible or about to be visible, to the last
  ///     one.
  ///   - node: the behavior's node.
  func prefetch(_ rows: Range<Int>, in node: any TreeNode)
}

extension PagedNode: PrefetchingBehavior {
  /// Makes the rows the visible range, and requests their pages. A page that has failed is not requested again.
  ///
  /// - Parameters:
  ///   - rows: positions in this node.
  ///   - node: this node.
  public func prefetch(_ rows: Range<Int>, in node: any TreeNode) {
    visibleRange = rows
    for row in rows.clamped(to: 0..<count) { _ = self[row] }
  }
}

extension WidgetCoordinator {
  /// Requests rows that are about to be visible: the `PrefetchingBehavior` of each node behind them receives their
  /// range.
  ///
  /// A widget calls this method while the user scrolls.
  ///
  /// - Parameters:
  ///   - paths: the paths of rows that are about to be visible.
  ///   - visiblePaths: the paths of rows that are visible.
  public func prefetch(_ paths: [IndexPath], visible visiblePaths: [IndexPath] = []) {
    var requests: [(behavior: any PrefetchingBehavior, node: any TreeNode, rows: Range<Int>)] = []
    for path in visiblePaths + paths {
      guard let own = nodePath(of: path), let (behavior, place) = behavior(for: own, { $0 as? any PrefetchingBehavior })
      else { continue }
      let row = place.position
      if let number = requests.firstIndex(where: { $0.node === place.node }) {
        let rows = requests[number].rows
        requests[number].rows = min(rows.lowerBound, row)..<max(rows.upperBound, row + 1)
      } else {
        requests.append((behavior, place.node, row..<row + 1))
      }
    }
    for request in requests { request.behavior.prefetch(request.rows, in: request.node) }
  }
}
