// The few declarations of UIKit that the adapters use, by Apple's documentation, so that they are compiled and driven on Linux.
// Requirements that are optional there are not here: a method that is misspelled in an adapter does not compile.
// The views are as hostile as the documentation allows: they count late, ask whether a row may be selected without expecting that
// anything changes, take no reload in the middle of a batch, and stop scrolling where their offset is set.
public import Foundation

public struct UIEdgeInsets { public var top: CGFloat = 0, bottom: CGFloat = 0 }

@MainActor open class UIView: NSObject {
  public var bounds = CGRect(x: 0, y: 0, width: 100, height: 50)
  open func layoutIfNeeded() {}
  public nonisolated override init() { super.init() }
}

@MainActor open class UIScrollView: UIView {
  public var contentOffset = CGPoint.zero { didSet { isDecelerating = false } }
  /// Whether a finger drags it.
  public var isDragging = false
  /// Whether it still moves after a finger has left it.
  public var isDecelerating = false
  public var contentSize: CGSize { .zero }
  public var adjustedContentInset = UIEdgeInsets()
}

/// A nib file: it holds a view of the class that the test has given to its name.
@MainActor public final class UINib: NSObject {
  /// The classes, by the name of the file.
  public static var classes: [String: UIView.Type] = [:]
  let viewClass: UIView.Type?
  public init(nibName name: String, bundle bundleOrNil: Bundle?) { viewClass = Self.classes[name] }
}
