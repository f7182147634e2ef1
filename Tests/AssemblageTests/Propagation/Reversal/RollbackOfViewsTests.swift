import Assemblage
import TestSupport
import Testing

/// A rollback restores the settings and contents of views: windows, selections, orders, expansions.
@Suite struct RollbackOfViewsTests {
  struct Stop: Error {}

  /// Runs a transaction that throws. Checks that a node has its former contents, and that its changes can be replayed.
  private func expectRollback<Element: Equatable>(
    _ node: any TreeNode<Element>, comesBack: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () -> Void
  ) {
    let before = node.elements
    var replay = before
    let token = node.observe { change in replay = change.delta.applying(to: replay) { node.element(at: $0)! } }
    #expect(throws: Stop.self) {
      try node.performUpdates {
        body()
        throw Stop()
      }
    }
    if comesBack { #expect(node.elements == before, sourceLocation: sourceLocation) }
    #expect(replay == node.elements, sourceLocation: sourceLocation)
    withExtendedLifetime(token) {}
  }

  @Test func aWindowComesBack() {
    let source = ArrayNode(Array(0..<10))
    let slice = SliceNode(source, 2..<5)
    expectRollback(slice) {
      slice.window = 0..<8
      source.removeSubrange(..<3)
      slice.window = 4..<5
    }
    #expect(slice.window == 2..<5)
  }

  @Test func aSelectionAndTheMembersComeBack() {
    let members = [ArrayNode([1]), ArrayNode([2, 3]), ArrayNode([4])]
    let segment = SegmentNode(members, selection: 1)
    expectRollback(segment) {
      segment.selection = 2
      segment.removeMember(at: 2)
      segment.insertMember(ArrayNode([9]), at: 0)
      segment.selection = 0
      segment.moveMember(from: 0, to: 2)
      segment.replaceMember(at: 2, with: ArrayNode([8]))
      members[1].append(7)
      segment.selection = nil
    }
    #expect(segment.selection == 1)
    #expect(segment.members.map(\.count) == [1, 2, 1])
  }

  @Test func membersOfASegmentAreUndoneAndShownAgainIfTheyWere() {
    let segment = SegmentNode([ArrayNode([1]), ArrayNode([2, 3])], selection: 1)
    let log = UndoLog(of: segment)
    segment.removeMember(at: 1)
    segment.appendMember(ArrayNode([4]))
    segment.selection = 1
    #expect(log.undoCount == 2)
    log.undo()
    #expect(segment.selection == nil)
    log.undo()
    #expect(segment.elements == [2, 3] && segment.selection == 1)
    while log.redo() {}
    #expect(segment.elements == [4] && segment.selection == 1)
  }

  @Test func anOrderComesBack() {
    let source = ArrayNode([5, 1, 4, 1, 3])
    let sorted = SortNode(source)
    expectRollback(sorted) {
      sorted.setComparator { $0 > $1 }
      source.remove(at: 1)
      source.append(9)
      sorted.setComparator(nil)
      source.move(from: 0, to: 3)
      source[0] = 7
      sorted.setComparator { $0 % 3 < $1 % 3 }
      source.replaceAll(with: [3, 5, 2])
    }
    source.append(2)
    #expect(sorted.elements == [1, 1, 2, 3, 4, 5])
  }

  /// If a comparator has another order by then, the rows return at other positions, and observers are notified.
  @Test func anOrderThatCannotComeBackIsReported() {
    var isReversed = false
    let source = ArrayNode([5, 1, 4, 2, 3])
    let sorted = SortNode(source) { isReversed ? $0 > $1 : $0 < $1 }
    expectRollback(sorted, comesBack: false) {
      isReversed = true
      source.remove(at: 1)
      source.remove(at: 3)
    }
    #expect(sorted.elements.sorted() == [1, 2, 3, 4, 5])
  }

  @Test func expansionsComeBack() {
    let inner = BranchNode(value: "b", leaves: ["b1", "b2"])
    let root = BranchNode(value: "root", [.leaf("a"), .node(inner), .leaf("c")])
    let outline = OutlineNode(root, id: { $0 })
    outline.expand(row: 1)
    #expect(outline.count == 5)
    func expect(_ body: () -> Void) {
      let before = outline.elements
      var replay = before
      let token = outline.observe { change in replay = change.delta.applying(to: replay) { outline.element(at: $0)! } }
      #expect(throws: Stop.self) {
        try outline.performUpdates {
          body()
          throw Stop()
        }
      }
      #expect(outline.elements == before && replay == before)
      withExtendedLifetime(token) {}
    }
    expect { outline.collapse(row: 1) }
    expect { root.remove(at: 1) }
    expect {
      outline.collapseAll()
      inner.append(.leaf("b3"))
      outline.beginTemporaryExpansion()
      outline.toggle(row: 1)
      root.move(from: 1, to: 0)
      outline.endTemporaryExpansion()
    }
    #expect(!outline.isTemporarilyExpanded)
    outline.collapse(row: 1)
    expect { outline.expand(row: 1) }
  }
}
