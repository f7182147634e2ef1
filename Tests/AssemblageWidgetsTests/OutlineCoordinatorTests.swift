import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import TestSupport
import Testing

/// Outlines that unfold their rows by themselves.
@Suite struct OutlineCoordinatorTests {
  private func show(_ node: any TreeNode<String>) -> (WidgetModel<String>, OutlineCoordinator<String>) {
    let (widget, coordinator) = (WidgetModel<String>(.outline), OutlineCoordinator(node))
    widget.follow(coordinator)
    _ = widget.takeLog()
    return (widget, coordinator)
  }

  @Test func itemsOfAnyDepthAreShown() {
    let sources = BranchNode(value: "src", leaves: ["main.swift"])
    let tree = BranchNode([.node(sources), .leaf("README.md")])
    let (widget, coordinator) = show(tree)
    #expect(widget.paths.map { widget.element(at: $0) } == ["src", "main.swift", "README.md"])
    #expect(coordinator.isExpandable(at: [0]) && !coordinator.isExpandable(at: [1]))
    tree.move(from: [1], to: [0, 0])
    #expect(widget.takeLog() == ["moves [1]→[0, 0]"])
    #expect(widget.paths.map { widget.element(at: $0) } == ["src", "README.md", "main.swift"])
    #expect(coordinator.widgetPath(of: [0, 1]) == [0, 1] && coordinator.count(at: [0]) == 2)
  }

  @Test func whatIsHeldBackIsCountedAtEveryDepth() {
    let inner = BranchNode(value: "inner", leaves: ["a", "b"])
    let outer = BranchNode<String>(value: "outer", [.node(inner)])
    let other = BranchNode<String>(value: "other", [])
    let tree = BranchNode([outer, other])
    let (widget, coordinator) = show(tree)
    coordinator.suspend()
    tree.performUpdates {
      tree.move(from: [0, 0], to: [1, 0])
      inner.append(.leaf("c"))
      tree.remove(at: [0])
    }
    #expect(coordinator.count(at: []) == 2 && coordinator.count(at: [0]) == 1 && coordinator.count(at: [0, 0]) == 2)
    #expect(coordinator.element(at: [0]) == nil && coordinator.element(at: [0, 0, 1]) == "b")
    #expect(coordinator.nodePath(of: [0, 0, 1]) == [0, 0, 1] && !coordinator.isExpandable(at: [0]))
    coordinator.resume()
    #expect(widget.error == nil)
    #expect(widget.paths.map { widget.element(at: $0) } == ["other", "inner", "a", "b", "c"])
  }

  @Test func whatIsOnTopStaysThere() {
    let inner = BranchNode(value: "inner", leaves: ["a", "b"])
    let tree = BranchNode([.node(inner), .leaf("c"), .node(BranchNode(value: "last", leaves: ["d"]))])
    let (widget, coordinator) = show(tree)
    coordinator.keepsPosition = .always
    func top(_ path: IndexPath, after body: () -> Void) -> IndexPath? {
      widget.scrollPosition = WidgetScrollPosition(path: path, offset: 1)
      body()
      return widget.scrollPosition?.path
    }
    #expect(top([0, 1]) { tree.move(from: [0], to: [1]) } == [1, 1])
    #expect(top([1, 1]) { inner.remove(at: 1) } == [1, 0], "the sibling before")
    #expect(top([1, 0]) { inner.remove(at: 0) } == [1], "the parent")
    #expect(top([1]) { tree.remove(at: 1) } == [1], "the next sibling")
    #expect(top([1, 0]) { tree.remove(at: 1) } == [0], "the sibling before the parent")
    #expect(coordinator.element(at: [0]) == "c")
  }
}
