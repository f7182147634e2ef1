import Assemblage
import AssemblageTesting
import Foundation

/// The expected contents of a tree filter, found by a walk through the whole tree.
struct TreeFilterModel {
  var policy: TreeFilterPolicy
  var passes: (OutlineItem) -> Bool

  /// Returns whether a child passes.
  func isMatch(_ child: OutlineModel) -> Bool { child.item.map(passes) ?? (policy == .hidingSubtrees) }

  /// Returns the shown children of a place.
  func children(of model: OutlineModel, isBelowMatch: Bool = false) -> [NaiveTree<OutlineItem>] {
    model.children.compactMap { child in
      let isMatch = isMatch(child)
      let isShown: Bool
      switch policy {
      case .hidingSubtrees: isShown = isMatch
      case .keepingAncestors: isShown = isMatch || matchCount(of: child) > 0
      case .keepingDescendants: isShown = isBelowMatch || isMatch || matchCount(of: child) > 0
      }
      guard isShown else { return nil }
      return NaiveTree(value: child.item, children: children(of: child, isBelowMatch: isBelowMatch || isMatch))
    }
  }

  /// Returns the number of matches below a place.
  func matchCount(of model: OutlineModel) -> Int {
    model.children.reduce(0) { sum, child in
      switch policy {
      case .hidingSubtrees: sum + (isMatch(child) ? 1 + matchCount(of: child) : 0)
      case .keepingAncestors, .keepingDescendants: sum + (isMatch(child) ? 1 : 0) + matchCount(of: child)
      }
    }
  }
}
