/// Says how the sections and objects after a batch are made of the former sections and objects.
///
/// Decision 50 states the time that a difference of all contents takes instead.
struct ResultsArrangement: Equatable {
  /// A place of an object before the batch.
  struct Place: Hashable {
    var section: Int
    var position: Int
  }

  /// A piece of a section after the batch, from its start.
  enum Piece: Equatable {
    /// Objects that were in this section before the batch, by their positions then.
    case kept(Range<Int>)
    /// An object that was in another section.
    case came(Place)
    /// New objects: their number.
    case new(Int)
  }

  struct Section: Equatable {
    /// The section's ordinal before the batch; nil where the section arrived.
    var origin: Int?
    var pieces: [Piece] = []
  }

  /// The sections after the batch.
  private(set) var sections: [Section] = []
  /// The objects that changed and stay, by their sections and positions before the batch.
  private(set) var updates: [Int: Set<Int>] = [:]

  private init() {}
}

extension ResultsArrangement {
  /// A contradiction between the events and the contents.
  struct Contradiction: Error {
    let sentence: String
  }

  /// Makes the arrangement that events lead to.
  ///
  /// - Parameters:
  ///   - events: the events of a batch.
  ///   - old: the counts of the sections before the batch.
  ///   - new: the counts of the sections after the batch.
  /// - Throws: a contradiction where the events do not lead from the former counts to the new ones.
  /// - Complexity: expected O(s + e · log e) for s sections and e events.
  init(_ events: [ResultsEvent], from old: [Int], to new: [Int]) throws(Contradiction) {
    self.init()
    var batch = Batch(old: old, new: new)
    for event in events { try batch.note(event) }
    guard old.count - batch.deleted.count + batch.inserted.count == new.count else {
      throw Contradiction(
        sentence: """
          Of \(old.count) sections \(batch.deleted.count) were deleted, and \(batch.inserted.count) inserted, but there are \
          \(new.count).
          """)
    }
    var surviving = old.indices.lazy.filter { !batch.deleted.contains($0) }.makeIterator()
    for section in new.indices {
      let origin = batch.inserted.contains(section) ? nil : surviving.next()!
      sections.append(Section(origin: origin, pieces: try batch.pieces(of: section, origin)))
    }
    for (section, positions) in batch.updated {
      let staying = positions.filter { !batch.left.contains(Place(section: section, position: $0)) }
      if !staying.isEmpty { updates[section] = staying }
    }
  }

  /// The events of a batch, sorted by kind and place.
  private struct Batch {
    let old: [Int]
    let new: [Int]
    var deleted: Set<Int> = []
    var inserted: Set<Int> = []
    /// The objects that left; and in `taken`, by section, the former positions of objects that left or moved.
    var left: Set<Place> = []
    var taken: [Int: Set<Int>] = [:]
    /// The former places of the objects that events put into each section, by new position; nil for a new object.
    var placed: [Int: [Int: Place?]] = [:]
    var updated: [Int: Set<Int>] = [:]

    mutating func note(_ event: ResultsEvent) throws(Contradiction) {
      switch event {
      case .insertSection(let section):
        guard new.indices.contains(section), inserted.insert(section).inserted else { throw contradiction(event) }
      case .deleteSection(let section):
        guard old.indices.contains(section), deleted.insert(section).inserted else { throw contradiction(event) }
      case .insert(let path):
        guard let place = Self.place(path, new) else { throw contradiction(event) }
        try put(nil, at: place, event)
      case .delete(let path):
        guard let place = Self.place(path, old), left.insert(place).inserted,
          taken[place.section, default: []].insert(place.position).inserted
        else { throw contradiction(event) }
      case .move(let source, let destination):
        guard let from = Self.place(source, old), let place = Self.place(destination, new),
          taken[from.section, default: []].insert(from.position).inserted
        else { throw contradiction(event) }
        try put(from, at: place, event)
        updated[from.section, default: []].insert(from.position)
      case .update(let path):
        guard let place = Self.place(path, old) else { throw contradiction(event) }
        updated[place.section, default: []].insert(place.position)
      }
    }

    private mutating func put(_ origin: Place?, at place: Place, _ event: ResultsEvent) throws(Contradiction) {
      if placed[place.section]?[place.position] != nil { throw contradiction(event) }
      placed[place.section, default: [:]].updateValue(origin, forKey: place.position)
    }

    private func contradiction(_ event: ResultsEvent) -> Contradiction {
      Contradiction(sentence: "The event \(event) is of a place that there is not, or that another event has taken.")
    }

    private static func place(_ path: some Sequence<Int>, _ counts: [Int]) -> Place? {
      let path = Array(path)
      guard path.count == 2, counts.indices.contains(path[0]), path[1] >= 0, path[1] < counts[path[0]] else {
        return nil
      }
      return Place(section: path[0], position: path[1])
    }

    /// The pieces of a section: the objects that events put there, and in the gaps the other objects in their former
    /// order.
    func pieces(of section: Int, _ origin: Int?) throws(Contradiction) -> [Piece] {
      let placed = placed[section] ?? [:]
      let taken = origin.flatMap { self.taken[$0] } ?? []
      let (before, after) = (origin.map { old[$0] } ?? 0, new[section])
      if origin != nil, before - taken.count != after - placed.count {
        throw Contradiction(
          sentence: """
            The section \(section) has \(after) objects: of \(before) there were, \(taken.count) left or moved, and \
            \(placed.count) came or moved.
            """)
      }
      var pieces: [Piece] = []
      var gone = taken.sorted()[...]
      var next = 0
      /// Fills a gap with objects that stayed; in a new section, with new objects.
      func fill(_ count: Int) {
        guard origin != nil else { return Self.append(.new(count), to: &pieces) }
        var count = count
        while count > 0 {
          while gone.first == next {
            gone.removeFirst()
            next += 1
          }
          let end = min(next + count, gone.first ?? before)
          Self.append(.kept(next..<end), to: &pieces)
          count -= end - next
          next = end
        }
      }
      var position = 0
      for place in placed.keys.sorted() {
        fill(place - position)
        position = place + 1
        guard let from = placed[place]! else {
          Self.append(.new(1), to: &pieces)
          continue
        }
        Self.append(from.section == origin ? .kept(from.position..<from.position + 1) : .came(from), to: &pieces)
      }
      fill(after - position)
      return pieces
    }

    private static func append(_ piece: Piece, to pieces: inout [Piece]) {
      ResultsArrangement.append(piece, to: &pieces)
    }
  }

  /// Appends a piece, or lengthens the last one.
  private static func append(_ piece: Piece, to pieces: inout [Piece]) {
    switch (pieces.last, piece) {
    case (_, .kept(let range)) where range.isEmpty: return
    case (_, .new(0)): return
    case (.kept(let last), .kept(let range)) where last.upperBound == range.lowerBound:
      pieces[pieces.count - 1] = .kept(last.lowerBound..<range.upperBound)
    case (.new(let last), .new(let count)): pieces[pieces.count - 1] = .new(last + count)
    default: pieces.append(piece)
    }
  }
}

extension ResultsArrangement {
  /// Makes the arrangement that a match of two snapshots leads to; sections are the first level, objects the second.
  ///
  /// - Parameters:
  ///   - matcher: the match, which has been run.
  ///   - isChanged: returns whether the objects at a former place and at a new place differ.
  /// - Complexity: O(n) for n objects in both.
  init(_ matcher: SnapshotMatcher, isChanged: (_ before: Place, _ after: Place) -> Bool) {
    self.init()
    // The arrays go level by level: sections are at 1 and up, and the objects follow, section by section.
    func objects(_ starts: [Int]) -> [Range<Int>] {
      (1..<starts[1]).map { starts[$0]..<starts[$0 + 1] }
    }
    let old = objects(matcher.oldStarts)
    let former = old.enumerated().flatMap { section, places in
      places.map { Place(section: section, position: $0 - places.lowerBound) }
    }
    for (section, places) in objects(matcher.newStarts).enumerated() {
      let origin = matcher.origins[section + 1]
      var arranged = Section(origin: origin < 0 ? nil : origin - 1)
      for place in places {
        guard matcher.origins[place] >= 0 else {
          Self.append(.new(1), to: &arranged.pieces)
          continue
        }
        let before = former[matcher.origins[place] - old.count - 1]
        if isChanged(before, Place(section: section, position: place - places.lowerBound)) {
          updates[before.section, default: []].insert(before.position)
        }
        let isKept = before.section == arranged.origin
        Self.append(isKept ? .kept(before.position..<before.position + 1) : .came(before), to: &arranged.pieces)
      }
      sections.append(arranged)
    }
  }
}
