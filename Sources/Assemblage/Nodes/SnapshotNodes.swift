import OffsetIndexing

// What the nodes are made of, for snapshots that share it. What is not here is copied.

extension ArrayNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .whole(.elements(storage.value)) }
}

extension ForestNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> { .tree(SnapshotShape(shape, branch, in: top), treeElements) }
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
    let (translation, members) = (state.value.translation, state.value.members)
    // Compared, because a cast takes longer than all the rest that is done for a member.
    let array = ObjectIdentifier(ArrayNode<Element>.self)
    var contents: [SnapshotContents<Element>] = []
    contents.reserveCapacity(translation.offsets.count)
    for handle in translation.order {
      let member = members[handle.number]!
      guard ObjectIdentifier(type(of: member)) == array else {
        return .join(translation.offsets, translation.order.map { .same(members[$0.number]!) })
      }
      // Of that very class: no node has subclasses.
      contents.append(.elements(unsafe unsafeDowncast(member, to: ArrayNode<Element>.self).storage.value))
    }
    return .whole(.layer(SnapshotLayer(.join(translation.offsets), contents, below: 0)))
  }
}

extension FlattenNode: SnapshotSharing {
  var snapshotParts: SnapshotParts<Element> {
    let translation = state.value.translation.members
    let members = translation.order.enumerated().map { ordinal, handle in
      if let node = state.value.members[handle.number]?.node { return SnapshotParts<Element>.same(node) }
      // A leaf, which may have no value in a node of the user's.
      return .whole(SnapshotContents([state.value.reader.element(at: ordinal)]))
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
