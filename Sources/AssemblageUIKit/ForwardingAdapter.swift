// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  public import Foundation

  /// An object between a view and the delegate and data source of the application: the superclass of the adapters.
  ///
  /// The view calls the adapter. A call that the adapter does not implement goes to the application's delegate. If the
  /// delegate does not implement the method either, the call goes to the application's data source. Both are weak
  /// references.
  @MainActor
  public class ForwardingAdapter: NSObject {
    // Views call their delegates on the main thread only, but Objective-C does not declare this for the methods of
    // `NSObject`.
    private nonisolated(unsafe) weak var firstForwardee: (any NSObjectProtocol)?
    private nonisolated(unsafe) weak var secondForwardee: (any NSObjectProtocol)?

    /// The delegate of the application.
    final var forwardedDelegate: (any NSObjectProtocol)? {
      get { unsafe firstForwardee }
      set { unsafe firstForwardee = newValue }
    }

    /// The data source of the application.
    final var forwardedDataSource: (any NSObjectProtocol)? {
      get { unsafe secondForwardee }
      set { unsafe secondForwardee = newValue }
    }

    /// The object of the application that receives a message which the adapter does not implement.
    ///
    /// - Parameter implements: whether an object implements the message.
    /// - Returns: the delegate, if it implements the message; otherwise the data source, if it does; otherwise nil.
    final nonisolated func forwardee(where implements: (any NSObjectProtocol) -> Bool) -> (any NSObjectProtocol)? {
      if let first = unsafe firstForwardee, implements(first) { return first }
      if let second = unsafe secondForwardee, implements(second) { return second }
      return nil
    }

    #if canImport(ObjectiveC)
      /// The methods that an object of the application has implemented. The view remembers them.
      private nonisolated(unsafe) var forwardedMethods: Set<Selector> = []

      /// Whether the adapter implements a method, or an object of the application does.
      public nonisolated override func responds(to aSelector: Selector!) -> Bool {
        if super.responds(to: aSelector) { return true }
        if forwardee(where: { $0.responds(to: aSelector) }) == nil { return false }
        unsafe forwardedMethods.insert(aSelector)
        return true
      }

      /// The object of the application that implements a method which the adapter does not implement. If that object is
      /// gone, an object that does nothing.
      public nonisolated override func forwardingTarget(for aSelector: Selector!) -> Any? {
        if let forwardee = forwardee(where: { $0.responds(to: aSelector) }) { return forwardee }
        return unsafe forwardedMethods.contains(aSelector) ? Silence() : nil
      }
    #endif
  }

  #if canImport(ObjectiveC)
    /// Answers every message with 0, false or nil.
    private final class Silence: NSObject {
      override class func resolveInstanceMethod(_ sel: Selector!) -> Bool {
        let nothing: @convention(block) (AnyObject) -> UInt = { _ in 0 }
        return unsafe class_addMethod(self, sel, imp_implementationWithBlock(nothing), "Q@:")
      }
    }
  #endif
#endif
