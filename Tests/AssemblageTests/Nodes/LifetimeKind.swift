@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// A node or a follower of a node, with its source, for as long as a test holds them.
struct LifetimeSubject {
  /// The object that is edited: a tree, a model, or the node itself.
  var source: AnyObject?
  /// The node or the follower.
  var object: AnyObject?
  /// Changes the source; returns the number of elements that should be left.
  let edit: (_ source: AnyObject, _ object: AnyObject?) -> Int
  /// Begins to observe the object, and returns the token; nil where the object cannot be observed.
  let observe: ((_ object: AnyObject, _ receive: @escaping () -> Void) -> AnyObject)?
}

/// A kind of node or follower whose lifetimes are checked.
struct LifetimeKind: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable (LifetimeTracker) -> LifetimeSubject

  /// Makes the kind of a node that holds its elements.
  static func source<Node: TreeNode<Tracked<Int>> & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (LifetimeTracker) -> Node, edit: @escaping @Sendable (Node) -> Int
  ) -> Self {
    model(name, make, { $0 }, edit: { _, node in edit(node!) })
  }

  /// Makes the kind of a node whose source is no node.
  static func model<Model: AnyObject & SendableMetatype, Node: TreeNode<Tracked<Int>> & SendableMetatype>(
    _ name: String, _ makeModel: @escaping @Sendable (LifetimeTracker) -> Model,
    _ make: @escaping @Sendable (Model) -> Node, edit: @escaping @Sendable (Model, Node?) -> Int
  ) -> Self {
    Self(testDescription: name) { tracker in
      let model = makeModel(tracker)
      let node = make(model)
      // A node that loads its children on demand loads them now.
      _ = node.count
      return LifetimeSubject(
        source: model, object: node, edit: { edit($0 as! Model, $1 as! Node?) },
        observe: { node, receive in (node as! Node).observe { _ in receive() } })
    }
  }

  /// Makes the kind of a node that derives from a tree.
  static func view<Node: TreeNode<Tracked<Int>> & SendableMetatype>(
    _ name: String = "\(Node.self)", _ make: @escaping @Sendable (BranchNode<Tracked<Int>>) -> Node
  ) -> Self {
    follower(name, observe: { node, receive in node.observe { _ in receive() } }, make)
  }

  /// Makes the kind of an object that follows a tree.
  static func follower<Object: AnyObject & SendableMetatype>(
    _ name: String = "\(Object.self)",
    observe: (@Sendable (Object, @escaping () -> Void) -> AnyObject)? = nil,
    _ make: @escaping @Sendable (BranchNode<Tracked<Int>>) -> Object
  ) -> Self {
    Self(testDescription: name) { tracker in
      let section = { BranchNode(value: tracker.track($0), leaves: tracker.track([$0 + 1, $0 + 2])) }
      let tree = BranchNode([.leaf(tracker.track(0)), .node(section(1)), .node(section(4)), .leaf(tracker.track(7))])
      return LifetimeSubject(
        source: tree, object: make(tree), edit: { tree, _ in Self.edit(tree as! BranchNode<Tracked<Int>>) },
        observe: observe.map { observe in { observe($0 as! Object, $1) } })
    }
  }

  /// Removes a row of the first section, moves the first child to the end, and removes the child that is second then.
  private static func edit(_ tree: BranchNode<Tracked<Int>>) -> Int {
    tree.performUpdates {
      let section = (0..<tree.count).lazy.compactMap { tree.child(at: $0) as? BranchNode<Tracked<Int>> }.first
      if section?.isEmpty == false { section?.remove(at: 0) }
      tree.move(from: 0, to: tree.count - 1)
    }
    tree.remove(at: 1)
    return NaiveTree(of: tree).elementCount
  }
}

extension NaiveTree {
  /// The number of values below the root.
  fileprivate var elementCount: Int {
    children.reduce(0) { $0 + ($1.value == nil ? 0 : 1) + $1.elementCount }
  }
}

extension LifetimeKind {
  /// A model of elements in two properties and a list.
  final class Model {
    var first: Tracked<Int>
    var second: Tracked<Int>
    var list: [Tracked<Int>]

    init(_ tracker: LifetimeTracker) {
      first = tracker.track(1)
      second = tracker.track(2)
      list = tracker.track(3..<6)
    }
  }

  /// Returns a forest with a leaf and a branch of three.
  @Sendable static func forest(_ tracker: LifetimeTracker) -> ForestNode<Tracked<Int>> {
    let tree = ForestNode(leaves: [tracker.track(0)])
    tree.append(ForestNode(value: tracker.track(1), leaves: tracker.track(2..<5)))
    return tree
  }

  static let all = nodes + followers

  static let nodes: [Self] = [
    .source("ArrayNode", { ArrayNode($0.track(0..<4)) }) {
      $0.removeLast()
      return $0.count
    },
    .source("SingleNode", { SingleNode($0.track(1)) }) {
      $0.content = nil
      return 0
    },
    .source("ProviderNode", { tracker in ProviderNode(count: 3) { [row = tracker.track(1)] _ in row } }) {
      $0.announce(.removal(0..<1))
      return 1
    },
    .source("ForestNode", forest) {
      guard $0.count > 0 else { return 0 }
      $0.child(at: [$0.count - 1])?.removeSubrange(0..<1)
      $0.move(from: 0, to: $0.count - 1)
      $0.insert($0[0], at: [0, 0])
      $0.remove(at: 0)
      return $0.descendantCount
    },
    .model("a branch of a ForestNode", forest, { $0.child(at: [1])! }) { tree, branch in
      (branch ?? tree.child(at: [1])!).remove(at: 0)
      return tree.descendantCount
    },
    .model("FieldsNode", Model.init, { FieldsNode($0, [\.first, \.second]) }) { model, node in
      model.first = model.second
      node?.refresh()
      return 4
    },
    .model("PropertyNode", Model.init, { PropertyNode($0, \.list) }) { model, node in
      model.list.removeLast()
      node?.refresh()
      return 2 + model.list.count
    },
    .model(
      "HierarchyNode", Model.init,
      { model in HierarchyNode(model.first, id: \.payload, children: { $0 == model.first ? model.list : [] }) }
    ) { model, node in
      model.list.removeLast()
      node?.reload()
      return 2 + model.list.count
    },
    .model(
      "ResultsNode",
      { ResultsControllerModel([("A", $0.track(0..<3)), ("B", $0.track([3]))], id: \.payload) },
      { ResultsNode($0, id: \.payload) }
    ) { controller, node in
      let rest = Array(controller.sections[0].objects.dropLast())
      if let node { controller.change(to: [("A", rest)], telling: node) } else { controller.sections = [("A", rest)] }
      return rest.count
    },
    .view("BranchNode") { BranchNode([$0]) },
    .view { JoinNode([$0]) },
    .view { SegmentNode([$0], selection: 0) },
    .view { FlattenNode($0) },
    .view { FilterNode($0) { $0.payload != 3 } },
    .view { SortNode($0, by: >) },
    .view { MapNode($0) { $0 } },
    .view { SliceNode($0, 1..<3) },
    .view { UniqueNode($0) { $0.payload } },
    .view { GroupNode($0) { $0.payload % 2 } },
    .view { NestNode($0, id: \.payload, parent: { $0.payload / 2 }) },
    .view { TreeFilterNode($0) { $0.payload != 3 } },
    .view { TreeSortNode($0, by: \.payload) },
    .view("a SortNode by totals") { SortNode($0, by: AggregateIndex(of: $0, .sum(\.payload))) },
    .view("a TreeSortNode by totals") { TreeSortNode($0, by: AggregateIndex(of: $0, .sum(\.payload))) },
    .view { DescendantsNode($0) },
    .view { SectionsNode($0) },
    .view { OutlineNode($0, expansion: ExpansionState(policy: .expanded), id: \.payload) },
    .view("a section of a GroupNode") { GroupNode($0) { $0.payload % 2 }.section(at: 0) },
    .view("a branch of a NestNode") {
      NestNode($0, id: \.payload, parent: { $0.payload == 0 ? nil : 0 }).child(at: 0) as! NestNode<Tracked<Int>, Int>
    },
    .view("a child of a TreeFilterNode") { TreeFilterNode($0) { $0.payload != 3 }.child(at: 1) as! TreeFilterNode },
    .view("a child of a TreeSortNode") {
      let child = TreeSortNode($0, by: \.payload).child(at: 1) as! TreeSortNode<Tracked<Int>>
      // From now on its observers are notified of changes of its children.
      precondition(child.count == 2)
      return child
    },
    .model(
      "a child of a MapNode", { BranchNode(leaves: $0.track(0..<4)) },
      { MapNode(BranchNode([$0])) { $0 }.child(at: 0) as! MapNode<Tracked<Int>, Tracked<Int>> }
    ) { section, _ in
      section.remove(at: 0)
      return section.count
    },
  ]

  static let followers: [Self] = [
    .follower { NodeAnchor(of: $0, at: [1, 0]) },
    .follower { AnchorSet(of: $0) },
    .follower { IdentityIndex(of: $0, id: \.payload) },
    .follower(observe: { index, receive in index.observe { _ in receive() } }) {
      AggregateIndex(of: $0, .sum(\.payload))
    },
    .follower(observe: { tracker, receive in tracker.observe { _ in receive() } }) { ChangeTracker(of: $0) },
    .follower(observe: { selection, receive in selection.observe { receive() } }) {
      tree -> SelectionModel<Tracked<Int>, Int> in
      let selection = SelectionModel(of: tree, id: \.payload)
      selection.selectAll()
      return selection
    },
  ]
}
