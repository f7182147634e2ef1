public import Foundation

/// On Apple's systems, this class is in Foundation.
public final class NSItemProvider: NSObject {}

@MainActor public final class UIDragItem: NSObject {
  public var localObject: Any?
  public init(itemProvider: NSItemProvider) {}
}

@MainActor public protocol UIDragAnimating {}
@MainActor public protocol UIDragDropSession {
  var items: [UIDragItem] { get }
  func location(in view: UIView) -> CGPoint
}
@MainActor public protocol UIDragSession: UIDragDropSession {}
@MainActor public protocol UIDropSession: UIDragDropSession {}

public enum UIDropOperation: Sendable { case cancel, forbidden, copy, move }

@MainActor open class UIDropProposal: NSObject {
  public let operation: UIDropOperation
  init(operation: UIDropOperation) { self.operation = operation }
}

@MainActor open class UIMenuElement: NSObject {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let disabled = Attributes(rawValue: 1)
    public static let destructive = Attributes(rawValue: 2)
  }
}

public final class UIAction: UIMenuElement {
  public let title: String
  public let attributes: Attributes
  public let handler: (UIAction) -> Void
  public init(title: String = "", attributes: Attributes = [], handler: @escaping (UIAction) -> Void) {
    (self.title, self.attributes, self.handler) = (title, attributes, handler)
  }
}

public final class UIMenu: UIMenuElement {
  public let children: [UIMenuElement]
  public init(title: String = "", children: [UIMenuElement] = []) { self.children = children }
}

@MainActor public final class UIContextMenuConfiguration: NSObject {
  public let menu: UIMenu?
  public init(
    identifier: (any NSCopying)?, previewProvider: (() -> UIView?)? = nil,
    actionProvider: (([UIMenuElement]) -> UIMenu?)? = nil
  ) { menu = actionProvider?([]) }
}

@MainActor public final class UIContextualAction: NSObject {
  public enum Style: Sendable { case normal, destructive }
  public let style: Style
  public let title: String?
  public let handler: (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
  public init(
    style: Style, title: String?, handler: @escaping (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
  ) { (self.style, self.title, self.handler) = (style, title, handler) }
}

@MainActor public final class UISwipeActionsConfiguration: NSObject {
  public let actions: [UIContextualAction]
  public init(actions: [UIContextualAction]) { self.actions = actions }
}
