/// How the sections and objects after a batch are made of those before it.
struct ResultsArrangement: Equatable {
  /// A place of an object before the batch.
  struct Place: Hashable {
    var section: Int
    var position: Int
  }

  /// What stands in a section after the batch, from the start.
  enum Piece: Equatable {
    /// Objects that the section had before, by their positions then.
    case kept(Range<Int>)
    /// An object of another section.
    case came(Place)
    /// Objects that were nowhere.
    case new(Int)
  }

  struct Section: Equatable {
    /// Which section it was before; nil: it came.
    var origin: Int?
    var pieces: [Piece] = []
  }

  /// The sections after the batch.
  private(set) var sections: [Section] = []
  /// The objects that changed and stay, by their section and positions before.
  private(set) var updates: [Int: Set<Int>] = [:]

  private init() {}
}

extension ResultsArrangement {
  /// Says that something does not fit.
  struct Contradiction: Error {
    let sentence: String
  }

  /// What events say.
  ///
  /// - Parameters:
  ///   - events: the events of a batch.
  ///   - old: the counts of the sections before it.
  ///   - new: the counts of the sections after it.
  /// - Throws: where the events do not lead from one to the other.
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

  /// The events of a batch, sorted by what they concern.
  private struct Batch {
    let old: [Int]
    let new: [Int]
    var deleted: Set<Int> = []
    var inserted: Set<Int> = []
    /// The objects that left, and those that no longer stand where they stood: they left or moved.
    var left: Set<Place> = []
    var taken: [Int: Set<Int>] = [:]
    /// What stands at a place after the batch; nil inside: a new object.
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

    /// What stands in a section: what was placed, and in the gaps what stayed, in its order.
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
      /// Fills a gap with what stayed, or, in a new section, with objects of which nothing was told.
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
  /// What a comparison of names and ids says: sections are the same by name, objects by id, in their own section first.
  ///
  /// - Parameters:
  ///   - old: the names of the sections before, and the ids of their objects.
  ///   - new: the same after.
  ///   - isChanged: whether the object at a place before differs from that at a place after.
  /// - Complexity: expected O(n) for n objects in both.
  init<ID: Hashable>(
    from old: [(name: String, ids: [ID])], to new: [(name: String, ids: [ID])],
    isChanged: (_ before: Place, _ after: Place) -> Bool
  ) {
    self.init()
    var named = Self.places(old.map(\.name))
    let origins = new.map { named[$0.name]?.popLast() }
    // Two rounds: what stayed in its section, and then the rest, wherever it was.
    var found: [[Place?]] = []
    var used = old.map { [Bool](repeating: false, count: $0.ids.count) }
    for (section, origin) in zip(new, origins) {
      var places = origin.map { Self.places(old[$0].ids) } ?? [:]
      found.append(
        section.ids.map { id in
          guard let origin, let position = places[id]?.popLast() else { return nil }
          used[origin][position] = true
          return Place(section: origin, position: position)
        })
    }
    var rest: [ID: [Place]] = [:]
    for section in old.indices.reversed() {
      for position in old[section].ids.indices.reversed() where !used[section][position] {
        rest[old[section].ids[position], default: []].append(Place(section: section, position: position))
      }
    }
    for section in new.indices {
      var pieces: [Piece] = []
      for (position, id) in new[section].ids.enumerated() {
        guard let place = found[section][position] ?? rest[id]?.popLast() else {
          Self.append(.new(1), to: &pieces)
          continue
        }
        if isChanged(place, Place(section: section, position: position)) {
          updates[place.section, default: []].insert(place.position)
        }
        let isKept = place.section == origins[section]
        Self.append(isKept ? .kept(place.position..<place.position + 1) : .came(place), to: &pieces)
      }
      sections.append(Section(origin: origins[section], pieces: pieces))
    }
  }

  /// The positions of each id, the last one first.
  private static func places<ID: Hashable>(_ ids: [ID]) -> [ID: [Int]] {
    var places: [ID: [Int]] = [:]
    for position in ids.indices.reversed() { places[ids[position], default: []].append(position) }
    return places
  }
}
