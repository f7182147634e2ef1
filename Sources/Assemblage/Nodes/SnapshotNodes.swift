import OffsetIndexing

// What the nodes are made of, for snapshots that share it. What is not here is copied.

extension ArrayNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .whole(.elements(storage.value)) }
}

extension ForestNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .whole(.forest(shape, branch, treeElements)) }
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
    var members: [SnapshotParts<Element>.Member] = []
    let translation = state.value.translation
    members.reserveCapacity(translation.offsets.count)
    for handle in translation.order {
      members.append(SnapshotParts.Member(state.value.members[handle.number]!))
    }
    return .join(translation.offsets, members)
  }
}

extension FlattenNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    var members: [SnapshotParts<Element>.Member] = []
    let translation = state.value.translation.members
    members.reserveCapacity(translation.offsets.count)
    for (ordinal, handle) in translation.order.enumerated() {
      if let node = state.value.members[handle.number]?.node {
        members.append(SnapshotParts.Member(node))
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

extension SnapshotParts.Member {
  /// A node; an array is known at once, because there may be thousands.
  fileprivate init(_ node: any TreeNode<Element>) {
    if let array = node as? ArrayNode<Element> {
      self = .known(.elements(array.storage.value))
    } else {
      self = .node(node)
    }
  }
}
