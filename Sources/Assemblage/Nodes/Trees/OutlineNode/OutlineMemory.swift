/// Which nodes an outline has records of, and which of these are expanded: what is needed in order to show the same rows
/// again, when a transaction is rolled back.
struct OutlineMemory {
  struct Child {
    let position: Int
    let isExpanded: Bool
    /// The number of the level of its own children.
    let level: Int
  }

  /// The root's children with records, and those of each child; ascending by position.
  private(set) var levels: [[Child]] = [[]]

  /// Takes down the present records.
  ///
  /// - Complexity: O(r) for r records.
  init(_ translation: OutlineTranslation) {
    var records = [0]
    var level = 0
    while level < records.count {
      for entry in translation.records[records[level]].level.entries
      where !translation.records[entry.record].isParked {
        levels[level].append(
          Child(
            position: entry.position, isExpanded: translation.records[entry.record].isExpanded, level: levels.count))
        levels.append([])
        records.append(entry.record)
      }
      level += 1
    }
  }
}

/// What was chosen for one node.
struct OutlineChoice<ID: Hashable & Sendable> {
  let id: ID
  let user: Bool?
  let program: Bool?

  init(for id: ID, in expansion: ExpansionState<ID>) {
    self.id = id
    user = expansion.userChoices[id]
    program = expansion.programChoices[id]
  }
}

/// What an outline shows, and why.
struct OutlineSetting<ID: Hashable & Sendable> {
  let expansion: ExpansionState<ID>
  let savedExpansion: ExpansionState<ID>?
}

extension OutlineNode {
  /// Makes and frees records until they are those of a memory.
  ///
  /// - Complexity: O(r · log n) for r records in the memory, and as many that there are.
  func recall(
    _ memory: OutlineMemory, _ edit: inout OutlineEdit, _ released: inout [any TreeNode]
  ) {
    var walk = OutlineWalk(from: 0, tag: 0)
    while let (record, level) = walk.next(&state.value.translation) {
      let wanted = memory.levels[level]
      let positions = Set(wanted.lazy.map(\.position))
      for entry in state.value.translation.records[record].level.entries where !positions.contains(entry.position) {
        walk.detach(entry.record, &edit, &state.value.translation)
        state.value.discard([entry.record], to: &released)
      }
      let node = state.value.node(record)
      for child in wanted where child.position < state.value.translation.records[record].level.count {
        let own = state.value.translation.record(ofChild: child.position, of: record)
        if own >= 0 {
          walk.setExpanded(child.isExpanded, own, &edit, &state.value.translation)
          walk.visit(own, tag: child.level)
        } else if let childNode = node.child(at: child.position) {
          let made = state.value.install(OutlinePlan(childNode, as: child, in: memory))
          walk.attach(made, at: child.position, &edit, &state.value.translation)
        }
      }
    }
  }

  /// What is to be put back when a change of what is expanded is taken back.
  var setting: OutlineSetting<ID> {
    OutlineSetting(expansion: state.value.expansion, savedExpansion: state.value.savedExpansion)
  }

  /// The closure that shows again what was shown before.
  func showing(_ former: OutlineSetting<ID>, _ memory: OutlineMemory) -> () -> Void {
    { [self] in
      hub.prepareForChange()
      let present = setting
      let presentMemory = OutlineMemory(state.value.translation)
      var released: [any TreeNode] = []
      var edit = OutlineEdit()
      state.value.expansion = former.expansion
      state.value.savedExpansion = former.savedExpansion
      hub.refusingChanges { recall(memory, &edit, &released) }
      state.value.discardOrphans(to: &released)
      hub.publish(ChangeSet(edit.rows.net()), of: .view, inverse: showing(present, presentMemory))
      withExtendedLifetime(released) {}
    }
  }

  /// The closure that puts one choice back, and expands or collapses one record's node again.
  func choosing(
    _ former: OutlineChoice<ID>?, _ formerly: (isExpanded: Bool, at: [Int])?
  ) -> () -> Void {
    { [self] in
      hub.prepareForChange()
      let present = former.map { OutlineChoice(for: $0.id, in: state.value.expansion) }
      if let former { state.value.expansion.restore(former) }
      var edit = OutlineEdit()
      var presently = formerly
      if let formerly, let record = state.value.translation.record(at: formerly.at) {
        presently?.isExpanded = state.value.translation.records[record].isExpanded
        edit.setExpanded(formerly.isExpanded, record: record, of: &state.value.translation)
      }
      hub.publish(ChangeSet(edit.rows.net()), of: .view, inverse: choosing(present, presently))
    }
  }
}
