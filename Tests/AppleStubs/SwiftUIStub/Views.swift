// The few declarations of SwiftUI that the module and its guide use, by Apple's documentation, so that they are
// compiled and driven on Linux. What is drawn is text: see `ListHost`.
public import Foundation

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("has no body") }
}

/// A view that this stub draws itself, line by line.
@MainActor protocol DrawnView: View where Body == Never {
  func draw(into lines: inout [String])
}

extension DrawnView {
  public var body: Never { fatalError("is drawn") }
}

@MainActor func lines(of view: some View) -> [String] {
  var lines: [String] = []
  if let drawn = view as? any DrawnView { drawn.draw(into: &lines) } else { lines = SwiftUIStub.lines(of: view.body) }
  return lines
}

@MainActor @resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView(repeat each content)
  }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct TupleView<each Content: View>: DrawnView {
  let content: (repeat each Content)
  init(_ content: repeat each Content) { self.content = (repeat each content) }
  func draw(into lines: inout [String]) {
    for content in repeat each content { lines += SwiftUIStub.lines(of: content) }
  }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("is drawn") }
}

extension Optional: DrawnView where Wrapped: View {
  func draw(into lines: inout [String]) { if let self { lines += SwiftUIStub.lines(of: self) } }
}

// MARK: Simple views

public struct Text: DrawnView {
  let text: String
  public init(_ text: String) { self.text = text }
  func draw(into lines: inout [String]) { lines.append(text) }
}

public struct Button: DrawnView {
  let title: String
  /// What a click does.
  public let action: @MainActor () -> Void
  public init(_ title: String, action: @escaping @MainActor () -> Void) {
    self.title = title
    self.action = action
  }
  func draw(into lines: inout [String]) { lines.append(title) }
}

public struct Toggle: DrawnView {
  let title: String
  public let isOn: Binding<Bool>
  public init(_ title: String, isOn: Binding<Bool>) {
    self.title = title
    self.isOn = isOn
  }
  func draw(into lines: inout [String]) { lines.append((isOn.wrappedValue ? "[x] " : "[ ] ") + title) }
}

public struct HStack<Content: View>: DrawnView {
  public let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func draw(into lines: inout [String]) { lines.append(SwiftUIStub.lines(of: content).joined(separator: " ")) }
}

public enum Edge { case leading, trailing }

public struct PaddedView<Content: View>: DrawnView {
  public let content: Content
  let length: CGFloat
  func draw(into lines: inout [String]) {
    lines += SwiftUIStub.lines(of: content).map { String(repeating: " ", count: Int(length / 8)) + $0 }
  }
}

extension View {
  public func padding(_ edge: Edge, _ length: CGFloat) -> PaddedView<Self> { PaddedView(content: self, length: length) }
}

// MARK: Lists

/// What is shown for a collection; it has edits of its rows.
@MainActor public protocol DynamicViewContent: View {
  associatedtype Data: Collection
  var data: Data { get }
}

extension DynamicViewContent {
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> EditedRows<Self> {
    EditedRows(content: self, delete: action, move: nil)
  }
  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> EditedRows<Self> {
    EditedRows(content: self, delete: nil, move: action)
  }
}

public struct EditedRows<Content: DynamicViewContent>: DynamicViewContent, DrawnView {
  public let content: Content
  public let delete: ((IndexSet) -> Void)?
  public let move: ((IndexSet, Int) -> Void)?
  public var data: Content.Data { content.data }
  func draw(into lines: inout [String]) { lines += SwiftUIStub.lines(of: content) }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: DynamicViewContent, DrawnView {
  public let data: Data
  let id: KeyPath<Data.Element, ID>
  public let content: (Data.Element) -> Content

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  /// The ids, which SwiftUI reads one by one, whenever it needs them.
  public var ids: [ID] { data.indices.map { data[$0][keyPath: id] } }

  func draw(into lines: inout [String]) {
    precondition(Set(ids).count == data.count, "an id occurs twice")
    for element in data { lines += SwiftUIStub.lines(of: content(element)) }
  }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data, id: \.id, content: content)
  }
}

public struct Section<Content: View>: DrawnView {
  let title: String
  public let content: Content
  public init(_ title: String, @ViewBuilder content: () -> Content) {
    self.title = title
    self.content = content()
  }
  func draw(into lines: inout [String]) { lines += ["# " + title] + SwiftUIStub.lines(of: content) }
}

public struct List<SelectionValue: Hashable, Content: View>: DrawnView {
  public let selection: Binding<Set<SelectionValue>>?
  public let content: Content
  func draw(into lines: inout [String]) { lines += SwiftUIStub.lines(of: content) }
}

extension List {
  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, selection: Binding<Set<SelectionValue>>?, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, Row> {
    self.selection = selection
    content = ForEach(data, content: rowContent)
  }
}

extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) {
    selection = nil
    self.content = content()
  }

  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, Row> {
    selection = nil
    content = ForEach(data, content: rowContent)
  }

  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {
    selection = nil
    content = ForEach(data, id: id, content: rowContent)
  }
}
