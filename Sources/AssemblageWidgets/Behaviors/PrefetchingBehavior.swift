public import Assemblage
import Foundation

/// A behavior that requests rows before the user sees them.
///
/// A `PagedNode` conforms by itself and needs no added behavior.
public protocol PrefetchingBehavior: Behavior {
  /// Rows are about to be visible.
  ///
  /// - Parameters:
  ///   - runs: positions in the behavior's node: each run of neighbouring rows that are visible or about to be visible,
  ///     in ascending order.
  ///   - visible: positions in the behavior's node: from the first visible row to the last one; nil if none of its rows
  ///     is known to be visible.
  ///   - node: the behavior's node.
  func prefetch(_ runs: [Range<Int>], visible: Range<Int>?, in node: any TreeNode)
}

extension PagedNode: PrefetchingBehavior {
  /// Requests the pages of the rows. A page that has failed is not requested again.
  ///
  /// The visible rows and the runs near them become the visible range. So a fetch for these runs does not end when the
  /// user scrolls on, and a fetch for distant rows does.
  ///
  /// - Parameters:
  ///   - runs: positions in this node.
  ///   - visible: positions in this node; nil leaves the visible range unchanged.
  ///   - node: this node.
  public func prefetch(_ runs: [Range<Int>], visible: Range<Int>?, in node: any TreeNode) {
    if var near = visible {
      let margin = Swift.max(2 * near.count, pageSize)
      // Runs before the visible rows are joined from the last to the first one.
      for run in runs + runs.reversed()
      where run.lowerBound <= near.upperBound + margin && run.upperBound >= near.lowerBound - margin {
        near = Swift.min(near.lowerBound, run.lowerBound)..<Swift.max(near.upperBound, run.upperBound)
      }
      visibleRange = near
    }
    for run in runs {
      for row in run.clamped(to: 0..<count) { _ = self[row] }
    }
  }
}

extension WidgetCoordinator {
  /// Requests rows that are about to be visible: the `PrefetchingBehavior` of each node behind them receives their
  /// positions.
  ///
  /// A widget calls this method while the user scrolls.
  ///
  /// - Parameters:
  ///   - paths: the paths of rows that are about to be visible.
  ///   - visiblePaths: the paths of rows that are visible.
  /// - Complexity: O(k · log k) for k paths, and the look-up of each.
  public func prefetch(_ paths: [IndexPath], visible visiblePaths: [IndexPath] = []) {
    var requests: [PrefetchRequest] = []
    for (number, path) in (visiblePaths + paths).enumerated() {
      guard let own = nodePath(of: path), let (behavior, place) = behavior(for: own, { $0 as? any PrefetchingBehavior })
      else { continue }
      let request = requests.firstIndex { $0.node === place.node } ?? requests.count
      if request == requests.count { requests.append(PrefetchRequest(behavior: behavior, node: place.node)) }
      requests[request].add(place.position, isVisible: number < visiblePaths.count)
    }
    for request in requests {
      request.behavior.prefetch(request.runs, visible: request.visible, in: request.node)
    }
  }
}

/// The rows of one node that are requested.
private struct PrefetchRequest {
  let behavior: any PrefetchingBehavior
  let node: any TreeNode
  private var positions = IndexSet()
  private(set) var visible: Range<Int>?

  init(behavior: any PrefetchingBehavior, node: any TreeNode) { (self.behavior, self.node) = (behavior, node) }

  mutating func add(_ position: Int, isVisible: Bool) {
    positions.insert(position)
    guard isVisible else { return }
    let rows = visible ?? position..<position
    visible = min(rows.lowerBound, position)..<max(rows.upperBound, position + 1)
  }

  /// The runs of neighbouring positions, in ascending order.
  var runs: [Range<Int>] { Array(positions.rangeView) }
}
