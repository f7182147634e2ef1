// Has not been compiled with SwiftUI, which Linux lacks: see Docs/SwiftUI.md.
#if canImport(SwiftUI)
  public import Assemblage
  public import SwiftUI

  extension Rows {
    /// Reads the rows of a node, and animates each of its transactions.
    ///
    /// - Parameters:
    ///   - node: the node whose children are the rows.
    ///   - animation: how the view goes to the next state of the rows.
    /// - Complexity: that of a snapshot, if the node has changed since it was last read; otherwise O(1).
    @MainActor
    public init(_ node: any TreeNode<Element>, animation: Animation) {
      self.init(node, delivery: RowDelivery(animation))
    }

    /// Reads the sections of a node, and animates each of its transactions.
    ///
    /// - Parameters:
    ///   - node: the node whose children are the sections.
    ///   - animation: how the view goes to the next state of the sections.
    /// - Returns: the sections, in order.
    /// - Complexity: that of the rows of each section.
    @MainActor
    public static func sections(of node: any TreeNode<Element>, animation: Animation) -> [Rows] {
      sections(of: node, delivery: RowDelivery(animation))
    }
  }

  extension OutlineRows {
    /// Reads the rows of an outline, and animates each of its transactions.
    ///
    /// - Parameters:
    ///   - outline: the outline.
    ///   - animation: how the view goes to the next state of the rows.
    /// - Complexity: O(n) for n rows, if the outline has changed since it was last read; otherwise O(1).
    @MainActor
    public init(_ outline: OutlineNode<Element, ID>, animation: Animation) {
      self.init(outline, delivery: RowDelivery(animation))
    }
  }

  extension OutlineRows.Row {
    /// Whether the row's children are visible, for a view that needs a binding: see `isExpanded`.
    @MainActor
    public var expansion: Binding<Bool> {
      Binding { @MainActor in
        isExpanded
      } set: { @MainActor in
        isExpanded = $0
      }
    }
  }

  extension RowDelivery {
    /// Notifies inside `withAnimation`.
    fileprivate init(_ animation: Animation) {
      self.init(animation) { notify in withAnimation(animation) { notify() } }
    }
  }
#endif
