@_spi(NodeAuthors) import Assemblage
import Foundation

/// An element of the suite `forest`: a number, or an object with a name.
protocol TreeElement: NumberedElement {
  /// The suffix in the name of a subject that holds such elements.
  static var suffix: String { get }
}

extension Int: TreeElement {
  static var suffix: String { "<Int>" }
}

/// An object with a name of 8 to 24 characters.
final class NamedObject: TreeElement {
  static let suffix = ""
  let name: String
  let number: Int

  init(_ number: Int) {
    self.number = number
    let hash = UInt32(truncatingIfNeeded: number) &* 2_654_435_761
    name = String(repeating: "n", count: Int(hash % 11) + 2) + "-\(hash % 10_000_000).txt"
  }
}

/// The job of the suite `forest`: a tree of values that is read and edited by index path, with one observer.
protocol TreeHolding: Measured {
  associatedtype Element: TreeElement
  static var kind: String { get }
  init(_ tree: NumberedTree, observer: @escaping () -> Void)
  /// The heap bytes that the subject holds beside the elements; nil where that is not known.
  var byteCount: Int? { get }
  func element(at path: IndexPath) -> Int
  mutating func insert(_ element: Element, at path: IndexPath)
  mutating func remove(at path: IndexPath)
  mutating func replace(at path: IndexPath, with element: Element)
  /// Moves the element at one path to another path, and back.
  mutating func move(from path: IndexPath, to destination: IndexPath)
  /// The sum of all keys.
  func scan() -> Int
}

extension TreeHolding {
  static var name: String { kind + Element.suffix }
}

/// The library's forest.
struct ForestSubject<Element: TreeElement>: TreeHolding {
  static var kind: String { "ForestNode" }
  static var origin: Subject.Origin { .library }
  private let forest: ForestNode<Element>
  private let token: NodeObservation

  @inline(__always)
  init(_ tree: NumberedTree, observer: @escaping () -> Void) {
    forest = Self.build(tree)
    token = forest.observe { _ in observer() }
  }

  @inline(__always)
  private static func build(_ tree: NumberedTree) -> ForestNode<Element> {
    ForestNode(tree.children(of: 0).map { Element($0) }) { element in
      let children = tree.children(of: element.number)
      return children.isEmpty ? nil : children.lazy.map { Element($0) }
    }
  }

  var byteCount: Int? { forest.byteCount }

  @inline(__always)
  func element(at path: IndexPath) -> Int { forest.element(at: path)!.number }
  @inline(__always)
  func insert(_ element: Element, at path: IndexPath) { forest.insert(element, at: path) }
  @inline(__always)
  func remove(at path: IndexPath) { forest.remove(at: path) }
  @inline(__always)
  func replace(at path: IndexPath, with element: Element) { forest.replace(at: path, with: element) }

  func move(from path: IndexPath, to destination: IndexPath) {
    forest.move(from: path, to: destination)
    forest.move(from: destination, to: path)
  }

  @inline(__always)
  func scan() -> Int {
    var sum = 0
    forest.forEachDescendantSpan { span in
      for index in span.indices { sum &+= span[index].number }
    }
    return sum
  }
}

/// The library's tree of branches. Each branch is a node.
struct BranchesSubject<Element: TreeElement>: TreeHolding {
  static var kind: String { "BranchNode" }
  static var origin: Subject.Origin { .library }
  private let root: BranchNode<Element>
  private let token: NodeObservation

  init(_ tree: NumberedTree, observer: @escaping () -> Void) {
    var nodes: [BranchNode<Element>?] = Array(repeating: nil, count: tree.folders.count)
    for number in tree.folders.reversed() {
      nodes[number] = BranchNode(
        value: Element(number),
        tree.children(of: number).map { child in
          child < nodes.count ? .node(nodes[child]!) : .leaf(Element(child))
        })
    }
    root = nodes[0]!
    token = root.observe { _ in observer() }
  }

  var byteCount: Int? { nil }

  func element(at path: IndexPath) -> Int { root.element(at: path)!.number }
  func insert(_ element: Element, at path: IndexPath) { root.insert(element, at: path) }
  func remove(at path: IndexPath) { root.remove(at: path) }
  func replace(at path: IndexPath, with element: Element) { root.replace(at: path, with: element) }

  func move(from path: IndexPath, to destination: IndexPath) {
    root.move(from: path, to: destination)
    root.move(from: destination, to: path)
  }

  func scan() -> Int {
    var sum = 0
    var open: [any TreeNode<Element>] = [root]
    while let node = open.popLast() {
      node.forEachSpan(in: 0..<node.count) { _, span in
        for index in span.indices { sum &+= span[index].number }
      }
      for position in 0..<node.count {
        if let child = node.child(at: position) { open.append(child) }
      }
    }
    return sum
  }
}

/// Values with arrays of values. The observer is only notified that there was a change.
struct NestedValues<Element: TreeElement>: TreeHolding {
  static var kind: String { "NestedArrays" }

  private struct Item {
    var element: Element
    var children: [Item] = []
  }

  private var root: Item
  private let observer: () -> Void

  init(_ tree: NumberedTree, observer: @escaping () -> Void) {
    func item(_ number: Int) -> Item {
      Item(element: Element(number), children: tree.children(of: number).map(item))
    }
    root = item(0)
    self.observer = observer
  }

  var byteCount: Int? { nil }

  @inline(__always)
  func element(at path: IndexPath) -> Int {
    var item = root
    for position in path { item = item.children[position] }
    return item.element.number
  }

  @inline(__always)
  private static func modify(_ item: inout Item, _ path: IndexPath, _ depth: Int, _ body: (inout [Item]) -> Void) {
    if depth == path.count - 1 { return body(&item.children) }
    descend(&item.children[path[depth]], path, depth + 1, body)
  }

  private static func descend(_ item: inout Item, _ path: IndexPath, _ depth: Int, _ body: (inout [Item]) -> Void) {
    modify(&item, path, depth, body)
  }

  mutating func insert(_ element: Element, at path: IndexPath) {
    Self.modify(&root, path, 0) { $0.insert(Item(element: element), at: path[path.count - 1]) }
    observer()
  }

  mutating func remove(at path: IndexPath) {
    Self.modify(&root, path, 0) { $0.remove(at: path[path.count - 1]) }
    observer()
  }

  mutating func replace(at path: IndexPath, with element: Element) {
    Self.modify(&root, path, 0) { $0[path[path.count - 1]].element = element }
    observer()
  }

  mutating func move(from path: IndexPath, to destination: IndexPath) {
    func move(_ path: IndexPath, _ destination: IndexPath) {
      var item: Item?
      Self.modify(&root, path, 0) { item = $0.remove(at: path[path.count - 1]) }
      Self.modify(&root, destination, 0) { $0.insert(item!, at: destination[destination.count - 1]) }
      observer()
    }
    move(path, destination)
    move(destination, path)
  }

  func scan() -> Int {
    var sum = 0
    func add(_ items: [Item]) {
      for item in items {
        sum &+= item.element.number
        add(item.children)
      }
    }
    add(root.children)
    return sum
  }
}
