// The few declarations of UIKit that the adapters use, by Apple's documentation. With them, the adapters are compiled
// and run on Linux. Requirements that are optional in UIKit are not optional here: a method that is misspelled in an
// adapter does not compile. The views are as hostile as the documentation allows. They count late. They ask whether a
// row may be selected, and expect no change meanwhile. They allow no reload in the middle of a batch. They stop
// scrolling when their offset is set.
public import Foundation

public struct UIEdgeInsets { public var top: CGFloat = 0, bottom: CGFloat = 0 }

@MainActor open class UIView: NSObject {
  public var bounds = CGRect(x: 0, y: 0, width: 100, height: 50)
  open func layoutIfNeeded() {}
  /// The stack view that has the view.
  weak var container: UIStackView?
  public nonisolated override init() { super.init() }
}

@MainActor open class UIScrollView: UIView {
  public var contentOffset = CGPoint.zero { didSet { isDecelerating = false } }
  /// Whether a finger drags the view.
  public var isDragging = false
  /// Whether the view still moves after a finger has left the view.
  public var isDecelerating = false
  public var contentSize: CGSize { .zero }
  public var adjustedContentInset = UIEdgeInsets()
}

/// A nib file. It holds a view of a class, which the test has set for the name of the file.
@MainActor public final class UINib: NSObject {
  /// The classes, by the name of the file.
  public static var classes: [String: UIView.Type] = [:]
  let viewClass: UIView.Type?
  public init(nibName name: String, bundle bundleOrNil: Bundle?) { viewClass = Self.classes[name] }
}
