import OffsetIndexing

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
  /// - Complexity: O(r · log n) for r records.
  init(_ translation: OutlineTranslation) {
    var records = [TreeIndex.root]
    var level = 0
    while level < records.count {
      for child in translation.children(of: records[level])
      where !translation.marks(of: child.branch).contains(.parked) {
        levels[level].append(
          Child(
            position: child.position, isExpanded: translation.isExpanded(child.branch), level: levels.count))
        levels.append([])
        records.append(child.branch)
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
    var open = [(record: TreeIndex.root, level: 0)]
    while let (record, level) = open.popLast() {
      let wanted = memory.levels[level]
      let positions = Set(wanted.lazy.map(\.position))
      for child in state.value.translation.children(of: record) where !positions.contains(child.position) {
        edit.detach(child.branch, of: &state.value.translation)
        state.value.discard([child.branch], to: &released)
      }
      let node = state.value.node(record)
      let count = state.value.translation.shape.childCount(of: record)
      for child in wanted where child.position < count {
        if let own = state.value.translation.record(ofChild: child.position, of: record) {
          edit.setExpanded(child.isExpanded, own, of: &state.value.translation)
          open.append((own, child.level))
        } else if let childNode = state.value.sources.child(at: child.position, of: node) {
          state.value.install(plan(childNode, as: child, in: memory), at: child.position, of: record, &edit)
        }
      }
    }
  }

  /// Plans what a memory knows of a node, and of all below it that is there.
  private func plan(
    _ node: SourceBranch, as child: OutlineMemory.Child, in memory: OutlineMemory
  ) -> OutlinePlan {
    typealias Remembered = OutlinePlan.Child<Int>
    let first = Remembered(position: 0, node: node, isExpanded: child.isExpanded, tag: child.level)
    let sources = state.value.sources
    return OutlinePlan([first], count: 1, isComplete: false, childCount: sources.count) { node, count, level in
      memory.levels[level].compactMap { child in
        guard child.position < count, let node = sources.child(at: child.position, of: node) else { return nil }
        return Remembered(position: child.position, node: node, isExpanded: child.isExpanded, tag: child.level)
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
      hub.prepareForChange(.wait)
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
      hub.prepareForChange(.wait)
      let present = former.map { OutlineChoice(for: $0.id, in: state.value.expansion) }
      if let former { state.value.expansion.restore(former) }
      var edit = OutlineEdit()
      var presently = formerly
      if let formerly, let record = state.value.translation.record(at: formerly.at) {
        presently?.isExpanded = state.value.translation.isExpanded(record)
        edit.setExpanded(formerly.isExpanded, record, of: &state.value.translation)
      }
      hub.publish(ChangeSet(edit.rows.net()), of: .view, inverse: choosing(present, presently))
    }
  }
}
