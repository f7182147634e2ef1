/// A stack view, by Apple's documentation: an arranged subview is always a subview. A view that is no longer arranged
/// stays a subview, so it is still visible.
public final class UIStackView: UIView {
  public private(set) var arrangedSubviews: [UIView] = []
  public private(set) var subviews: [UIView] = []

  public func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
    precondition(0...arrangedSubviews.count ~= stackIndex, "an arranged subview at an index that is out of range")
    // A view that is arranged already moves.
    arrangedSubviews.removeAll { $0 === view }
    arrangedSubviews.insert(view, at: min(stackIndex, arrangedSubviews.count))
    if !subviews.contains(where: { $0 === view }) { subviews.append(view) }
    view.container = self
  }

  public func removeArrangedSubview(_ view: UIView) {
    precondition(arrangedSubviews.contains { $0 === view }, "a view that is not arranged")
    arrangedSubviews.removeAll { $0 === view }
  }

  fileprivate func forget(_ view: UIView) {
    arrangedSubviews.removeAll { $0 === view }
    subviews.removeAll { $0 === view }
  }
}

extension UIView {
  public func removeFromSuperview() {
    container?.forget(self)
    container = nil
  }
}
