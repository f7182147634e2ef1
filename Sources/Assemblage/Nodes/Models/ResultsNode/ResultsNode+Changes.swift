extension ResultsNode {
  /// Begins a batch of changes.
  ///
  /// - Complexity: O(1).
  public func willChange() {
    if state.value.isChanging { state.value.fault = "A batch began inside another one." }
    state.value.isChanging = true
  }

  /// Adds an event to the batch that has begun; see `ResultsEvent`.
  ///
  /// - Parameter event: the event, which takes effect with `didChange()`.
  /// - Complexity: O(1).
  public func note(_ event: ResultsEvent) {
    if !state.value.isChanging { state.value.fault = "An event arrived outside a batch." }
    state.value.events.append(event)
  }

  /// Ends the batch; the controller already has the contents after the batch.
  ///
  /// Observers receive all changes at once. Where the events do not lead to the controller's contents, the node
  /// compares all contents instead, and calls `onInconsistency`.
  ///
  /// - Complexity: O(s + e · log n) for s sections, e events and n objects, and the propagation; O(n) where the events
  ///   are not consistent.
  public func didChange() {
    hub.prepareForChange()
    let (events, fault, isChanging) = (state.value.events, state.value.fault, state.value.isChanging)
    (state.value.events, state.value.fault, state.value.isChanging) = ([], nil, false)
    do throws(ResultsArrangement.Contradiction) {
      if let fault { throw ResultsArrangement.Contradiction(sentence: fault) }
      if !isChanging { throw ResultsArrangement.Contradiction(sentence: "A batch ended that had not begun.") }
      let counts = hub.refusingChanges {
        (0..<controller.numberOfSections).map { controller.numberOfObjects(inSection: $0) }
      }
      let arrangement = try ResultsArrangement(events, from: state.value.sections.map { $0.count }, to: counts)
      try check(arrangement)
      apply(arrangement, areMovesUpdates: true)
    } catch {
      compare()
      onInconsistency?(ResultsInconsistency(events: events, description: error.sentence))
    }
  }

  /// Compares the controller's contents with the contents of the node, and reports the difference.
  ///
  /// Call it when the controller has loaded its contents again, because the controller reports no events then. Sections
  /// are identified by name, objects by id. Observers receive all changes at once. Events of a batch that has not ended
  /// are dropped.
  ///
  /// - Complexity: expected O(n) for n objects, and the propagation.
  public func refresh() {
    hub.prepareForChange()
    (state.value.events, state.value.fault, state.value.isChanging) = ([], nil, false)
    compare()
  }

  private func compare() {
    let sections = state.value.sections
    let arrangement = hub.refusingChanges {
      let objects = (0..<controller.numberOfSections).map { section in
        (0..<controller.numberOfObjects(inSection: section)).map { controller.object(at: [section, $0]) }
      }
      let names = objects.indices.map { controller.sectionName(at: $0) }
      let matcher = SnapshotMatcher(
        levels(sections.map { $0.name }, sections.map { Array($0.elements) }), levels(names, objects), by: { $0 })
      return ResultsArrangement(matcher) { before, after in
        !comparison.areEqual(
          sections[before.section].element(at: before.position)!, objects[after.section][after.position])
      }
    }
    apply(arrangement, areMovesUpdates: false)
  }

  /// The sections by name, and their objects by id.
  private func levels(_ names: [String], _ objects: [[Object]]) -> SnapshotLevels<AnyHashable> {
    var levels = SnapshotLevels<AnyHashable>(value: nil, isNode: true)
    for name in names { levels.append(value: ResultsSectionName(name: name), isNode: true) }
    levels.closeNext()
    for objects in objects {
      for object in objects { levels.append(value: comparison.id(object), isNode: false) }
      levels.closeNext()
    }
    // Objects have no children.
    while levels.next < levels.values.count { levels.closeNext() }
    return levels
  }

  /// Checks by id that each object that changed or moved is at the place that the events name.
  private func check(_ arrangement: ResultsArrangement) throws(ResultsArrangement.Contradiction) {
    let sections = state.value.sections
    let fault = hub.refusingChanges { () -> String? in
      for (ordinal, section) in arrangement.sections.enumerated() {
        var position = 0
        let updates = (section.origin.flatMap { arrangement.updates[$0] } ?? []).sorted()
        func differs(_ place: ResultsArrangement.Place, _ position: Int) -> Bool {
          comparison.id(sections[place.section].element(at: place.position)!)
            != comparison.id(controller.object(at: [ordinal, position]))
        }
        for piece in section.pieces {
          switch piece {
          case .kept(let range):
            let first = updates.partitioningIndex { $0 >= range.lowerBound }
            for updated in updates[first...].prefix(while: { $0 < range.upperBound }) {
              let place = ResultsArrangement.Place(section: section.origin!, position: updated)
              let after = position + updated - range.lowerBound
              if differs(place, after) { return "Another object is at [\(ordinal), \(after)]." }
            }
            position += range.count
          case .came(let place):
            if differs(place, position) { return "Another object is at [\(ordinal), \(position)]." }
            position += 1
          case .new(let count): position += count
          }
        }
      }
      return nil
    }
    if let fault { throw ResultsArrangement.Contradiction(sentence: fault) }
  }

  /// Shows an arrangement in one transaction, section by section.
  private func apply(_ arrangement: ResultsArrangement, areMovesUpdates: Bool) {
    let former = state.value.sections
    let names = hub.refusingChanges { arrangement.sections.indices.map { controller.sectionName(at: $0) } }
    let areIndexTitlesSame = former.map { $0.name } == names
    let sections = zip(arrangement.sections, names).map { section, name in
      section.origin.map { former[$0] } ?? ResultsSection(name: name, [])
    }
    performUpdates {
      let moves = ResultsMoves(arrangement)
      // The settlement must look for the ends of moves from here on.
      if !moves.isEmpty { hub.marking(SerialNumber.next()) {} }
      exchange(former, for: sections, arrangement, moves)
      for (section, ordinal) in zip(sections, arrangement.sections.indices) {
        section.name = names[ordinal]
        let change = moves.change(of: ordinal, arrangement, count: section.count, areMovesUpdates: areMovesUpdates)
        section.apply(change) { position in hub.refusingChanges { controller.object(at: [ordinal, position]) } }
      }
      if !areIndexTitlesSame { takeInIndexTitles() }
    }
    withExtendedLifetime(former) {}
  }

  /// Shows other sections; new ones are still empty.
  private func exchange(
    _ former: [ResultsSection<Object>], for sections: [ResultsSection<Object>], _ arrangement: ResultsArrangement,
    _ moves: ResultsMoves
  ) {
    var builder = Delta.Builder()
    for (section, origin) in zip(sections, arrangement.sections.map(\.origin)) {
      if let origin {
        builder.keep(origin..<origin + 1)
      } else {
        builder.insert(1)
        link(section)
      }
    }
    var change = ChangeSet(builder.finish(preCount: former.count))
    for position in change.level.removals.joined() {
      former[position].apply(moves.departures(from: position)) { former[position].element(at: $0)! }
      hub.noteDeparture(of: former[position].hub, at: position, in: &change)
      unlink(former[position])
    }
    show(sections)
    hub.publish(change)
  }
}

/// Identifies a section, and differs from the id of every object.
private struct ResultsSectionName: Hashable { let name: String }

/// The objects that move from one section to another.
struct ResultsMoves {
  /// The numbers of their moves, by section and position before the batch.
  private var names: [Int: [Int: Int]] = [:]

  init(_ arrangement: ResultsArrangement) {
    for section in arrangement.sections {
      for case .came(let place) in section.pieces {
        names[place.section, default: [:]][place.position] = SerialNumber.next()
      }
    }
  }

  var isEmpty: Bool { names.isEmpty }

  /// The change of a section that leaves: the departures of the objects that move to other sections.
  func departures(from section: Int) -> ChangeSet {
    let moved = (names[section] ?? [:]).sorted { $0.key < $1.key }
    var change = ChangeSet(Delta(removals: moved.map { $0.key..<$0.key + 1 }))
    change.crossings = moved.map { Crossing($0.value, from: Crossing.Place($0.key), to: nil) }
    return change
  }

  /// The change of a section that stays or arrives.
  ///
  /// - Complexity: O(p + d · log d + u · log u) for p pieces, d objects that move to other sections and u updated ones.
  func change(of ordinal: Int, _ arrangement: ResultsArrangement, count: Int, areMovesUpdates: Bool) -> ChangeSet {
    let section = arrangement.sections[ordinal]
    var crossings = section.origin.map { departures(from: $0).crossings } ?? []
    let updates = (section.origin.flatMap { arrangement.updates[$0] } ?? []).sorted()
    var builder = Delta.Builder()
    for piece in section.pieces {
      switch piece {
      case .kept(let range):
        var next = range.lowerBound
        for position in updates[updates.partitioningIndex { $0 >= range.lowerBound }...] {
          guard position < range.upperBound else { break }
          builder.keep(next..<position)
          builder.update(position..<position + 1)
          next = position + 1
        }
        builder.keep(next..<range.upperBound)
      case .came(let place):
        let isUpdated = areMovesUpdates || arrangement.updates[place.section]?.contains(place.position) == true
        crossings.append(
          Crossing(
            names[place.section]![place.position]!, from: nil, to: Crossing.Place(builder.postCount),
            change: ChangeSet(updatesValue: isUpdated)))
        builder.insert(1)
      case .new(let count): builder.insert(count)
      }
    }
    var change = ChangeSet(builder.finish(preCount: count))
    change.crossings = crossings
    return change
  }
}
