import OffsetIndexing

// What the nodes are made of, for snapshots that share it. What is not here is copied.

extension ArrayNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .whole(.elements(storage.value)) }
}

extension ForestNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .whole(.forest(shape, branch, treeElements)) }
}

extension ForestSnapshot {
  /// Takes a snapshot of a forest, or of what is below one of its branches.
  ///
  /// - Parameter node: the forest, or the node of a branch; it is only read.
  /// - Complexity: O(log n).
  public init(of node: ForestNode<Element>) {
    self.init(node.shape, node.branch, in: node.top, node.treeElements, value: node.value)
  }
}

extension FilterNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .view(.bits(state.value.translation.passes), source) }
}

extension UniqueNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .view(.bits(state.value.translation.visible), source) }
}

extension SliceNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .view(.window(state.value.translation.visible), source) }
}

extension SortNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    state.value.translation.isSorted ? .view(.order(state.value.translation.order), source) : .same(source)
  }
}

extension GroupSection: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    .view(.section(state.value.group.value.translation.rows, slot: slot), source)
  }
}

extension SegmentNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { state.value.shown.map { .same($0) } ?? .whole(.empty) }
}

extension DescendantsNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    .view(.bits(state.value.translation.passes), state.value.outline!)
  }
}

extension OutlineNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    if let elements = state.value.sources.elementsOfWholeForest(ofRows: count) { return .whole(.elements(elements)) }
    return .whole(SnapshotContents(copying: self))
  }
}

extension JoinNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    let translation = state.value.translation
    if let sources = state.value.sharedSources() { return .whole(.layer(SnapshotLayer(translation.offsets, sources))) }
    return .join(translation.offsets, translation.order.map { .node(state.value.members[$0.number]!) })
  }
}

extension JoinNode.State {
  /// What the members have, where all of them are arrays.
  fileprivate mutating func sharedSources() -> SnapshotSources<Element>? {
    let (translation, members) = (translation, members)
    // Compared, because a cast takes longer than all the rest that is done for a member.
    let array = ObjectIdentifier(ArrayNode<Element>.self)
    return pages.all(of: translation.offsets.count) { ordinals, page in
      for ordinal in ordinals {
        let member = members[translation.slot(at: ordinal)]!
        guard ObjectIdentifier(type(of: member)) == array else { return false }
        // Of that very class: no node has subclasses.
        page.append(.elements(unsafe unsafeDowncast(member, to: ArrayNode<Element>.self).storage.value))
      }
      return true
    }
  }
}

extension FlattenNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    var members: [SnapshotParts<Element>.Member] = []
    let translation = state.value.translation.members
    members.reserveCapacity(translation.offsets.count)
    for (ordinal, handle) in translation.order.enumerated() {
      if let node = state.value.members[handle.number]?.node {
        members.append(.node(node))
      } else {
        // A leaf, which may have no value in a node of the user's.
        let element = state.value.reader.element(at: ordinal)
        members.append(
          .known(
            element.map { .elements(ChunkedArray(CollectionOfOne($0))) }
              ?? .sparse(ChunkedArray(EmptyCollection()), BitIndex([false]))))
      }
    }
    return .join(translation.offsets, members)
  }
}

extension PagedNode: SnapshotSharing {
  // Looked at without asking for rows.
  var snapshotParts: SnapshotParts<PagedRow<Row>> {
    .whole(.elements(ChunkedArray((0..<count).lazy.map { self.peek(at: $0)! })))
  }
}
