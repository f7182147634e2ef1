import OffsetIndexing

/// The nodes that show the children of a view of a tree, and the nodes that have lost their child.
struct TreeParts {
  /// The nodes of children, by record.
  var members = LivingNodes<TreeIndex.Branch>()
  /// Nodes whose child has left and may return, by the node of the source that they showed. They keep that node alive.
  var lost = LostParts<ObjectIdentifier, LivingNode>()
}

extension TreeFamily {
  /// The living node of a child; nil if nobody has asked for one.
  func part(_ record: Record) -> Part? { parts.value.members[record].map(typed) }

  private func typed(_ node: AnyObject) -> Part {
    // No node of another type is added.
    unsafe unsafeDowncast(node, to: Part.self)
  }

  /// The node that shows a record, which is made at the first request.
  func node(_ record: Record, root: Part) -> Part {
    if record == TreeIndex.root { return root }
    if let part = part(record) { return part }
    let part = Part(self, record: record, source: sources.value.object(numberedNode(record)), root: root)
    insert(part, for: record)
    return part
  }

  /// The node of a child, if a dependent or an observer receives its changes.
  func observedPart(_ record: Record) -> Part? {
    guard progress.value.hasMembers, let part = part(record), part.hub.isObserved else { return nil }
    return part
  }

  /// Notes that a node has been made for a child.
  func insert(_ part: Part, for record: Record) {
    parts.value.members[record] = part
    progress.value.hasMembers = true
  }

  /// Notes that the node of a child is being released.
  ///
  /// - Parameters:
  ///   - part: the node.
  ///   - record: the record that the node showed; nil if the node has lost its child.
  func forget(_ part: Part, record: Record?) {
    if let record {
      parts.value.members.forget(part, for: record)
      progress.value.hasMembers = !parts.value.members.isEmpty
    } else {
      parts.value.lost.remove(LivingNode(part))
    }
  }

  /// Reports to each node of a child the change of that child.
  ///
  /// Each part that has changed has a touch. So the other parts cost nothing.
  func tellParts(_ work: Work, _ crossings: [Record: [Crossing]]) {
    for touch in (0..<work.touchCount).reversed() {
      guard let record = work.record(touch), let part = observedPart(record) else { continue }
      var change = work.change(touch)
      change.crossings = crossings[record] ?? []
      if !change.isSilent { part.hub.receiveFromWhole(change) }
    }
  }

  /// Lets a node show nothing, because its child has left.
  func lose(_ part: Part, _ record: Record) {
    parts.value.members[record] = nil
    progress.value.hasMembers = !parts.value.members.isEmpty
    let count = translation.value.count(of: record)
    part.show(nil)
    if part.hub.isObserved {
      part.hub.receiveFromWhole(ChangeSet(count > 0 ? .removal(0..<count) : Delta(), updatesValue: true))
    }
    if findsAgain { parts.value.lost.insert(LivingNode(part), for: ObjectIdentifier(part.state.value.source!)) }
  }

  /// Gives the record of a child to the node that lost this child, if the child has returned.
  ///
  /// - Parameters:
  ///   - record: the record of a child that has been looked at.
  ///   - source: the node of the source.
  func findPart(_ record: Record, showing source: ObjectIdentifier) {
    guard parts.value.members[record] == nil, let known = parts.value.lost.takeLast(for: source) else { return }
    let part = typed(known.node)
    insert(part, for: record)
    part.show(record)
    let count = translation.value.count(of: record)
    if part.hub.isObserved {
      part.hub.receiveFromWhole(ChangeSet(count > 0 ? .insertion(0..<count) : Delta(), updatesValue: true))
    }
  }
}
