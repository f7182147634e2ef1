extension StagePlan {
  /// Sets the stage of every slot, by the rules of the view.
  mutating func schedule(for view: ChangeSet.ViewKind) {
    switch view {
    case .sequentialList, .outline: scheduleSequence()
    case .list:
      // Two schedules, and neither is always shorter. The rows of a moving section change before the section moves, or
      // after.
      var waiting = self
      scheduleList(letsRowsWait: false)
      waiting.scheduleList(letsRowsWait: true)
      if waiting.stageCount < stageCount { self = waiting }
    }
    layOut()
  }

  /// Sets the stage of a slot, and the stage of the slot that its children move to.
  private mutating func set(_ stage: Int, _ node: Int, _ slot: Int) {
    nodes[node].slots[slot].stage = stage
    if case .source(let destination) = nodes[node].slots[slot].kind {
      nodes[node].slots[destination].stage = stage
    }
  }

  private mutating func setTransfer(_ stage: Int, _ number: Int) {
    transfers[number].stage = stage
    let source = transfers[number].source
    let destination = transfers[number].destination
    nodes[source.node].slots[source.slot].stage = stage
    nodes[destination.node].slots[destination.slot].stage = stage
  }

  // MARK: Sequences of calls

  /// Schedules all changes for a view whose batch is a sequence of calls.
  ///
  /// Calls follow each other, so one stage is enough for everything except moves into an inserted subtree. The view
  /// reads the whole subtree when it is inserted, so these moves need a later stage.
  private mutating func scheduleSequence() {
    stageCount = 1
    var lastDeparture = [Int](repeating: 1, count: nodes.count)
    for number in transfers.indices {
      let stage = transfers[number].stage
      setTransfer(stage, number)
      stageCount = max(stageCount, stage)
      // The removed parents of the child stay until this stage.
      var node: Int? = transfers[number].source.node
      while let parent = node, nodes[parent].after == nil, lastDeparture[parent] < stage {
        lastDeparture[parent] = stage
        node = nodes[parent].before?.node
      }
    }
    for node in nodes.indices {
      for index in nodes[node].slots.indices {
        let slot = nodes[node].slots[index]
        switch slot.kind {
        case .removed: set(slot.node.map { lastDeparture[$0] } ?? 1, node, index)
        case .inserted, .source: set(1, node, index)
        case .stays, .destination, .leaves, .arrives: break
        }
        if !slot.updates.isEmpty { nodes[node].slots[index].updateStage = max(1, nodes[node].slots[index].stage) }
      }
    }
  }

  // MARK: Lists

  /// The changes of a section and its rows, with their stages.
  private struct Section {
    var moves = false
    var isRemoved = false
    var isInserted = false
    /// Whether rows are removed. They are removed in the first stage, so that all remaining rows are in the final tree.
    var losesRows = false
    /// The stages in which rows arrive, leave or move.
    var rowStages: Set<Int> = []
    /// The stage in which the section moves, and the stage in which the section is reloaded; 0 for none.
    var moveStage = 0
    var updateStage = 0
    /// The last stage in which a row moves out; 0 for none.
    var lastDeparture = 0
  }

  private mutating func scheduleList(letsRowsWait: Bool) {
    var sections = nodes.indices.map { index -> Section in
      var section = Section()
      if let before = nodes[index].before, case .source = slot(at: before).kind { section.moves = true }
      section.isRemoved = index > 0 && nodes[index].after == nil
      section.isInserted = index > 0 && nodes[index].before == nil
      section.losesRows = nodes[index].slots.contains { $0.kind == .removed }
      return section
    }
    // 1. Rows: all rows change in the first stage, except the rows that wait. Rows that move into an inserted
    //    section always wait.
    func waits(_ section: Section) -> Bool { letsRowsWait && section.moves && !section.losesRows }
    for node in nodes.indices.dropFirst() {
      for index in nodes[node].slots.indices {
        switch nodes[node].slots[index].kind {
        case .removed:
          set(1, node, index)
          sections[node].rowStages.insert(1)
        case .inserted, .source:
          let stage = waits(sections[node]) ? 2 : 1
          set(stage, node, index)
          sections[node].rowStages.insert(stage)
        case .stays, .destination, .leaves, .arrives: break
        }
      }
    }
    for number in transfers.indices {
      let source = transfers[number].source.node
      let destination = transfers[number].destination.node
      let isLate = sections[destination].isInserted || waits(sections[source]) || waits(sections[destination])
      let stage = isLate ? 2 : 1
      setTransfer(stage, number)
      sections[source].rowStages.insert(stage)
      sections[destination].rowStages.insert(stage)
      sections[source].lastDeparture = max(sections[source].lastDeparture, stage)
    }
    // 2. Sections: a section moves in a stage in which no row inside it arrives, leaves or moves. A section is
    //    reloaded in a stage in which nothing else happens to it. A section is removed after the last row has moved
    //    out.
    for index in nodes[0].slots.indices {
      let slot = nodes[0].slots[index]
      switch slot.kind {
      case .removed: set((slot.node.map { sections[$0].lastDeparture } ?? 0) + 1, 0, index)
      case .inserted: set(1, 0, index)
      case .source:
        let stage = Self.first { slot.node.map { sections[$0].rowStages }?.contains($0) != true }
        set(stage, 0, index)
        if let node = slot.node { sections[node].moveStage = stage }
      case .stays, .destination, .leaves, .arrives: break
      }
    }
    stageCount = nodes[0].slots.reduce(1) { max($0, $1.stage) }
    nodes[0].starts = positions(in: nodes[0].slots)
    for index in nodes[0].slots.indices where !nodes[0].slots[index].updates.isEmpty {
      let slot = nodes[0].slots[index]
      let stage = Self.first { candidate in
        candidate != slot.stage && isInPlace(Place(node: 0, slot: index, offset: 0), candidate)
          && slot.node.map { sections[$0].rowStages }?.contains(candidate) != true
      }
      nodes[0].slots[index].updateStage = stage
      if let node = slot.node { sections[node].updateStage = stage }
    }
    for node in nodes {
      for slot in node.slots { stageCount = max(stageCount, slot.stage, slot.updateStage) }
    }
    // 3. Rows are reloaded in a stage in which neither they nor their sections move; this may need an additional
    //    stage.
    var last = stageCount
    for node in nodes.indices.dropFirst() {
      for index in nodes[node].slots.indices where !nodes[node].slots[index].updates.isEmpty {
        let slot = nodes[node].slots[index]
        var before = sections[node]
        if case .arrives(let number) = slot.kind { before = sections[transfers[number].source.node] }
        let stage = Self.updateStage(
          movedIn: slot.stage, from: before, in: sections[node], among: stageCount)
        nodes[node].slots[index].updateStage = stage
        last = max(last, stage)
      }
    }
    stageCount = last
  }

  /// Whether a section has the same position before and after a stage: only then do the views reload the right section.
  private func isInPlace(_ section: Place, _ stage: Int) -> Bool {
    if stage > stageCount { return true }
    let before = place(of: section, in: stage - 1)
    let after = place(of: section, in: stage)
    return position(of: before, in: stage - 1) == position(of: after, in: stage)
  }

  /// The stage that reloads rows, if they move in stage `moved` from section `before` to section `after`.
  ///
  /// Both sections may be the same section. If the rows do not move, `moved` is 0.
  private static func updateStage(
    movedIn moved: Int, from before: Section, in after: Section, among count: Int
  ) -> Int {
    // The reload of a section also reloads its rows.
    if after.updateStage > moved { return after.updateStage }
    let later = first(after: moved) { $0 != after.moveStage }
    if later <= count { return later }
    let earlier = first { $0 != before.moveStage }
    return earlier < moved ? earlier : later
  }

  private static func first(after stage: Int = 0, where isAllowed: (Int) -> Bool) -> Int {
    var stage = stage + 1
    while !isAllowed(stage) { stage += 1 }
    return stage
  }
}
