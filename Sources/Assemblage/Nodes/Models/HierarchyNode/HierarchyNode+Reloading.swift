public import Foundation

/// How much of a hierarchy is loaded again.
///
/// ```swift
/// var files = ["home": ["notes"], "notes": ["a.md"]]
/// let tree = HierarchyNode("home", id: { $0 }, children: { files[$0] ?? [] })
/// tree.child(at: 0)?.elements    // ["a.md"]: both levels have been loaded
/// files["notes"] = ["a.md", "b.md"]
/// tree.reload(.children)         // asks for those of "home", which are the same
/// tree.child(at: 0)?.elements    // ["a.md"]
/// tree.reload(.loaded)           // asks for those of "notes" as well
/// tree.child(at: 0)?.elements    // ["a.md", "b.md"]
/// ```
public enum HierarchyScope: Sendable {
  /// The children of one node.
  case children

  /// Those of every node below as well, as far as they have been loaded.
  case loaded
}

extension HierarchyNode {
  /// Asks for the children again, and reports what differs.
  ///
  /// Children are told apart by id: those that are there again keep what has been loaded below them, those that changed are
  /// reported as updated. A child that has become a leaf, or is one no longer, is reported as updated, with what it lost
  /// or got. What has not been loaded yet is not asked for. Observers hear once.
  ///
  /// It is not called `refresh`, as the look again of other nodes is, because it fetches: the children may be on a disk.
  ///
  /// A value holds what was loaded with it: where children are a property of their parent's value, reload the parent of
  /// what changed, or give the root another value with `reload(value:)`.
  ///
  /// What is there is not the tree's to change, so a reload cannot be taken back, by a rollback or an `UndoLog`.
  ///
  /// Where children come from afar, the loads begin, and this returns at once: each answer is reported when it comes, and what is
  /// there stays until then, and where a load fails. A load that is under way is cancelled, and another takes its place; so
  /// reload at most as often as loads come to their end. What has failed is asked for again, too.
  ///
  /// - Parameter scope: whether nodes below are loaded again as well.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(_ scope: HierarchyScope = .loaded) {
    hub.prepareForChange()
    performUpdates {
      switch supply.source {
      case .atHand(let children): reload(scope, children)
      case .afar(let loader): reload(scope, loader)
      }
    }
  }

  private func reload(_ scope: HierarchyScope, _ children: (Element?) -> [Element]) {
    var open = [self]
    while let node = open.popLast() {
      guard node.isLoaded else { continue }
      node.replaceElements(hub.refusingChanges { children(node.state.value.value) })
      if scope == .loaded { open += node.state.value.nodes.all }
    }
  }

  /// Parents ask before their children.
  private func reload(_ scope: HierarchyScope, _ loader: HierarchyLoader<Element>) {
    var nodes = [self]
    var next = 0
    while next < nodes.count {
      nodes[next].askAgain(loader)
      if scope == .loaded { nodes += nodes[next].state.value.nodes.all }
      next += 1
    }
  }

  /// Gives the root another value, and asks for its children again, with everything below that has been loaded.
  ///
  /// - Parameter value: the new value of this node.
  /// - Precondition: this node is the root of its hierarchy: the values of all others come from their parents.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(value: Element) {
    hub.prepareForChange()
    require(!isChild, "HierarchyNode: only the root can be given a value; those of others come from their parents.")
    performUpdates {
      setValue(value)
      reload()
    }
  }

  /// Asks for the children of the node at a path again; see `reload(_:)`.
  ///
  /// - Parameters:
  ///   - path: the place of a node; where it has not been made yet, there is nothing to reload.
  ///   - scope: whether nodes below are loaded again as well.
  /// - Precondition: the path is in range.
  /// - Complexity: expected O(n) for the n children that are loaded again, and the propagation.
  public func reload(at path: IndexPath, _ scope: HierarchyScope = .loaded) {
    var node = self
    for (depth, position) in path.enumerated() {
      guard node.isLoaded else { return }
      require(
        position >= 0 && position < node.count,
        """
        The path \(path.sentence) is out of range: there are \(node.count) children at \
        \(path.prefix(depth).sentence).
        """)
      guard let next = node.state.value.nodes[position] else { return }
      node = next
    }
    node.reload(scope)
  }

  private var isChild: Bool {
    hub.state.value.dependents.contains { dependent in
      guard let parent = unsafe dependent.hub.state.value.owner as? HierarchyNode else { return false }
      return parent.supply === supply
    }
  }

  private func setValue(_ value: Element) {
    let former = state.value.value
    state.value.value = value
    valueHasChanged()
    hub.publish(ChangeSet(updatesValue: true))
    withExtendedLifetime(former) {}
  }

  /// Takes new children in: first those that came, left and moved, then those that changed.
  func replaceElements(_ new: [Element]) {
    let old = state.value.elements
    let delta = hub.refusingChanges { supply.difference(old, new) }
    guard !delta.isEmpty else { return }
    rearrange(delta, old, new)
    for range in delta.updates {
      for position in range { update(position, new[position]) }
    }
  }

  /// Applies a delta without its updates; survivors keep their values for now.
  private func rearrange(_ delta: Delta, _ old: [Element], _ new: [Element]) {
    guard delta.movesPositions else { return }
    let map = Delta.PositionMap(delta)
    var elements = new
    for position in delta.updates.joined() { elements[position] = old[map.position(before: position)!] }
    let lost = state.value.nodes.follow(delta)
    for child in lost { hub.unlink(slot: child.slot) }
    state.value.elements = elements
    hub.publish(
      ChangeSet(
        Delta(removals: Array(delta.removals), insertions: Array(delta.insertions), moves: delta.moves)))
    withExtendedLifetime(lost) {}
  }

  private func update(_ position: Int, _ element: Element) {
    let former = state.value.elements[position]
    let (wasNode, isNode) = hub.refusingChanges { (supply.mayHaveChildren(former), supply.mayHaveChildren(element)) }
    if !wasNode, isNode, supply.loader == nil {
      // What was a leaf is a node without children at first.
      let node = makeNode(at: position)
      node.setLoaded()
      set(element, at: position)
      node.setValue(element)
      node.reload(.children)
      return
    }
    guard let node = state.value.nodes[position] else {
      set(element, at: position)
      return hub.publish(ChangeSet(.update(position..<position + 1)))
    }
    if wasNode, !isNode, !node.state.value.elements.isEmpty { node.replaceElements([]) }
    set(element, at: position)
    node.setValue(element)
    guard !isNode, let slot = state.value.nodes.remove(at: position) else { return }
    node.dropLoad()
    hub.unlink(slot: slot)
  }

  private func set(_ element: Element, at position: Int) {
    let former = state.value.elements[position]
    state.value.elements[position] = element
    withExtendedLifetime(former) {}
  }
}
