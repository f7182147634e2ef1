import Foundation

extension ResultsNode {
  /// Says that a batch of changes begins.
  ///
  /// - Complexity: O(1).
  public func willChange() {
    if state.value.isChanging { state.value.fault = "A batch began inside another one." }
    state.value.isChanging = true
  }

  /// Says what happens in the batch under way; see `ResultsEvent`.
  ///
  /// - Parameter event: the event, which takes effect with `didChange()`.
  /// - Complexity: O(1).
  public func note(_ event: ResultsEvent) {
    if !state.value.isChanging { state.value.fault = "An event was told outside a batch." }
    state.value.events.append(event)
  }

  /// Says that the batch is complete, and the controller shows what comes of it.
  ///
  /// Observers hear once, of all that changed. Where the events do not lead to what the controller shows, contents are
  /// compared instead, and `onInconsistency` is called.
  ///
  /// - Complexity: O(s + e · log n) for s sections, e events and n objects, and the propagation; O(n) where the events do not
  ///   fit.
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

  /// Compares what the controller shows with what the node shows, and reports the difference.
  ///
  /// Call it when the controller has loaded its contents anew, which it tells no events of. Sections are the same by name,
  /// objects by id. Observers hear once. Events of a batch under way are dropped.
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
      func snapshot(_ name: String, _ objects: some Sequence<Object>) -> TreeSnapshot<AnyHashable> {
        TreeSnapshot(value: ResultsSectionName(name: name), leaves: objects.map { AnyHashable(comparison.id($0)) })
      }
      let old = sections.map { snapshot($0.name, $0.elements) }
      let new = objects.enumerated().map { snapshot(controller.sectionName(at: $0), $1) }
      let matcher = SnapshotMatcher(
        TreeSnapshot(children: old).levels, TreeSnapshot(children: new).levels, by: { $0 })
      return ResultsArrangement(matcher) { before, after in
        !comparison.areEqual(
          sections[before.section].element(at: before.position)!, objects[after.section][after.position])
      }
    }
    apply(arrangement, areMovesUpdates: false)
  }

  /// Checks that what changed or moved is where the events led it.
  private func check(_ arrangement: ResultsArrangement) throws(ResultsArrangement.Contradiction) {
    let sections = state.value.sections
    let fault = hub.refusingChanges { () -> String? in
      for (ordinal, section) in arrangement.sections.enumerated() {
        var position = 0
        func differs(_ place: ResultsArrangement.Place, _ position: Int) -> Bool {
          comparison.id(sections[place.section].element(at: place.position)!)
            != comparison.id(controller.object(at: [ordinal, position]))
        }
        for piece in section.pieces {
          switch piece {
          case .kept(let range):
            for updated in arrangement.updates[section.origin!] ?? [] where range.contains(updated) {
              let place = ResultsArrangement.Place(section: section.origin!, position: updated)
              let after = position + updated - range.lowerBound
              if differs(place, after) { return "Another object stands at [\(ordinal), \(after)]." }
            }
            position += range.count
          case .came(let place):
            if differs(place, position) { return "Another object stands at [\(ordinal), \(position)]." }
            position += 1
          case .new(let count): position += count
          }
        }
      }
      return nil
    }
    if let fault { throw ResultsArrangement.Contradiction(sentence: fault) }
  }

  /// Shows an arrangement, step by step, in one transaction.
  private func apply(_ arrangement: ResultsArrangement, areMovesUpdates: Bool) {
    let former = state.value.sections
    let names = hub.refusingChanges { arrangement.sections.indices.map { controller.sectionName(at: $0) } }
    let areIndexTitlesSame = former.map { $0.name } == names
    let sections = zip(arrangement.sections, names).map { section, name in
      section.origin.map { former[$0] } ?? ResultsSection(name: name, [])
    }
    performUpdates {
      let leaving = come(sections, arrangement, former)
      let arrivals = cross(arrangement, former, sections)
      for (section, ordinal) in zip(sections, arrangement.sections.indices) {
        section.name = names[ordinal]
        let delta = arrivals.delta(of: ordinal, arrangement, count: section.count, areMovesUpdates: areMovesUpdates)
        section.apply(delta) { position in hub.refusingChanges { controller.object(at: [ordinal, position]) } }
      }
      leave(leaving, sections)
      if !areIndexTitlesSame { takeInIndexTitles() }
    }
    withExtendedLifetime(former) {}
  }

  /// Lets new sections come, empty, and others take their new places; those that leave still stand behind their neighbours.
  ///
  /// - Returns: where those that leave stand.
  private func come(
    _ sections: [ResultsSection<Object>], _ arrangement: ResultsArrangement, _ former: [ResultsSection<Object>]
  ) -> [Int] {
    let staying = Set(arrangement.sections.compactMap { $0.origin })
    var builder = Delta.Builder()
    var list: [ResultsSection<Object>] = []
    var leaving: [Int] = []
    func keepLeaving(from ordinal: Int) {
      var ordinal = ordinal
      while ordinal < former.count, !staying.contains(ordinal) {
        builder.keep(ordinal..<ordinal + 1)
        leaving.append(list.count)
        list.append(former[ordinal])
        ordinal += 1
      }
    }
    keepLeaving(from: 0)
    for (section, origin) in zip(sections, arrangement.sections.map { $0.origin }) {
      list.append(section)
      if let origin {
        builder.keep(origin..<origin + 1)
        keepLeaving(from: origin + 1)
      } else {
        builder.insert(1)
        link(section)
      }
    }
    show(list)
    hub.publish(ChangeSet(builder.finish(preCount: former.count)))
    return leaving
  }

  /// Lets objects go to other sections, to their ends for now: each is one move.
  private func cross(
    _ arrangement: ResultsArrangement, _ former: [ResultsSection<Object>], _ sections: [ResultsSection<Object>]
  ) -> ResultsArrivals {
    var crossings: [(from: ResultsArrangement.Place, to: Int)] = []
    for (ordinal, section) in arrangement.sections.enumerated() {
      for case .came(let place) in section.pieces { crossings.append((place, ordinal)) }
    }
    // The last object of a section first: the others keep their positions.
    crossings.sort { ($0.from.section, $1.from.position) < ($1.from.section, $0.from.position) }
    var arrivals = ResultsArrivals(former.map { $0.count })
    for (place, ordinal) in crossings {
      let name = SerialNumber.next()
      let (source, target) = (former[place.section], sections[ordinal])
      let object = source.element(at: place.position)!
      hub.marking(name) { source.apply(.removal(place.position..<place.position + 1)) { _ in object } }
      let end = target.count
      hub.marking(name) { target.apply(.insertion(end..<end + 1)) { _ in object } }
      arrivals.note(place, in: ordinal)
    }
    return arrivals
  }

  /// Lets sections leave.
  private func leave(_ positions: [Int], _ sections: [ResultsSection<Object>]) {
    guard !positions.isEmpty else { return }
    let list = state.value.sections
    var change = ChangeSet(Delta(removals: positions.map { $0..<$0 + 1 }))
    for position in positions {
      hub.noteDeparture(of: list[position].hub, at: position, in: &change)
      unlink(list[position])
    }
    show(sections)
    hub.publish(change)
    withExtendedLifetime(list) {}
  }
}

/// What tells a section from another one, and from every object.
private struct ResultsSectionName: Hashable { let name: String }

/// Which objects have left sections for others, and in which order they came there.
struct ResultsArrivals {
  private let counts: [Int]
  /// The former positions of those that left, by former section; the last first.
  private var departed: [Int: [Int]] = [:]
  /// How many came to a section, and which of them each object is.
  private var arrived: [Int: Int] = [:]
  private var ranks: [ResultsArrangement.Place: Int] = [:]

  init(_ counts: [Int]) { self.counts = counts }

  mutating func note(_ place: ResultsArrangement.Place, in section: Int) {
    departed[place.section, default: []].append(place.position)
    ranks[place] = arrived[section, default: 0]
    arrived[section, default: 0] += 1
  }

  /// What remains to be done in a section, in which those that came stand at the end.
  ///
  /// - Complexity: O(p · log d + u · log u) for p pieces, d objects that left and u updated ones.
  func delta(of ordinal: Int, _ arrangement: ResultsArrangement, count: Int, areMovesUpdates: Bool) -> Delta {
    let section = arrangement.sections[ordinal]
    let departed = Array((section.origin.flatMap { self.departed[$0] } ?? []).reversed())
    let start = (section.origin.map { counts[$0] } ?? 0) - departed.count
    let updates = (section.origin.flatMap { arrangement.updates[$0] } ?? []).sorted()
    var builder = Delta.Builder()
    for piece in section.pieces {
      switch piece {
      case .kept(let range):
        let shift = Self.lowerBound(of: range.lowerBound, in: departed)
        var next = range.lowerBound
        for position in updates[Self.lowerBound(of: range.lowerBound, in: updates)...] {
          guard position < range.upperBound else { break }
          builder.keep(next - shift..<position - shift)
          builder.update(position - shift..<position - shift + 1)
          next = position + 1
        }
        builder.keep(next - shift..<range.upperBound - shift)
      case .came(let place):
        let position = start + ranks[place]!
        let isUpdated = areMovesUpdates || arrangement.updates[place.section]?.contains(place.position) == true
        if isUpdated { builder.update(position..<position + 1) } else { builder.keep(position..<position + 1) }
      case .new(let count): builder.insert(count)
      }
    }
    return builder.finish(preCount: count)
  }

  private static func lowerBound(of value: Int, in sorted: [Int]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = low + (high - low) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
