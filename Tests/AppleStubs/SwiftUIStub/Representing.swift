/// A view of UIKit as one of SwiftUI.
@MainActor public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType
  associatedtype Coordinator = Void
  typealias Context = UIViewRepresentableContext<Self>
  func makeUIView(context: Context) -> UIViewType
  func updateUIView(_ view: UIViewType, context: Context)
  func makeCoordinator() -> Coordinator
}

extension UIViewRepresentable {
  public var body: Never { fatalError("is a view of UIKit") }
}

extension UIViewRepresentable where Coordinator == Void {
  public func makeCoordinator() {}
}

public struct UIViewRepresentableContext<View: UIViewRepresentable> {
  public let coordinator: View.Coordinator
  @MainActor public init(_ view: View) { coordinator = view.makeCoordinator() }
}
