// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  import Assemblage
  public import AssemblageWidgets
  public import UIKit

  @MainActor
  extension UIStackView {
    /// Shows the rows of a coordinator: each row is one of the arranged subviews.
    ///
    /// ```swift
    /// views = stack.arrange(ListCoordinator(tags)) { _ in UILabel() } configure: { label, tag in
    ///   label.text = tag
    /// }
    /// ```
    ///
    /// The stack view has no other arranged subviews. A row that moves keeps its view.
    ///
    /// - Parameters:
    ///   - coordinator: the coordinator, whose widget the result becomes.
    ///   - make: makes a view; the element is nil if the row has no element, or has left meanwhile.
    ///   - configure: shows an element in a view.
    /// - Returns: the views, which the application keeps as long as the stack view follows the node.
    public func arrange<Element, Row: UIView>(
      _ coordinator: ListCoordinator<Element>, make: @escaping (Element?) -> Row,
      configure: @escaping (Row, Element) -> Void
    ) -> ArrangedViews<Element, Row> {
      ArrangedViews(coordinator, make: make, configure: configure) { [unowned self] view, position in
        insertArrangedSubview(view, at: position)
      } remove: { [unowned self] view in
        // A stack view still shows a view that is only no longer arranged.
        removeArrangedSubview(view)
        view.removeFromSuperview()
      }
    }
  }
#endif
