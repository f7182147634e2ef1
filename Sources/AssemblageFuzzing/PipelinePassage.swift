import AssemblageTesting

/// What the sources of a pipeline did with their rows in one step: who survived it, as law 5 has it.
///
/// A row that one edit takes out of a source and another puts into one is another row, and so is one of which a node was
/// told that it is: nodes do not compare what they show.
struct PipelinePassage {
  /// The ids of rows that were taken out and put in again.
  var replaced: Set<Int> = []
  /// The edits that took rows out, by the ids of the rows.
  private var departures: [Int: Int] = [:]
  private var edit = 0

  /// Begins an edit, which may change several models.
  mutating func beginEdit() { edit += 1 }

  /// Takes in that the rows of a node with children of its own became others.
  mutating func change(_ former: Rows, to present: Rows) {
    for id in former.ids.subtracting(present.ids) { departures[id] = edit }
    for id in present.ids.subtracting(former.ids) {
      if let departure = departures[id], departure != edit { replaced.insert(id) }
    }
  }

  /// The rows of a node with children of its own.
  struct Rows {
    /// The ids of the rows that the node holds itself, and of the rows of nodes among its children, which come and go with it; not of its own value.
    fileprivate let ids: Set<Int>

    /// The rows of `contents`.
    init(_ contents: NaiveTree<PipelineRow>) {
      ids = contents.children.reduce(into: []) { $0.formUnion($1.ids) }
    }
  }
}

/// Where rows stood in a node at any time in a step.
struct PipelinePlaces {
  /// The ids of the rows that stood there.
  private(set) var ids: Set<Int> = []
  /// The ids of the rows that stood in several places.
  private(set) var repeated: Set<Int> = []
  /// The ids of the rows that changed.
  private var changed: Set<Int> = []
  /// The rows as they stood there, by their ids.
  private var rows: [Int: [PipelineRow]] = [:]

  /// Takes in the node's contents at one time.
  mutating func add(_ tree: NaiveTree<PipelineRow>) {
    var seen: Set<Int> = []
    func add(_ tree: NaiveTree<PipelineRow>) {
      for child in tree.children {
        if let row = child.value {
          if !seen.insert(row.id).inserted { repeated.insert(row.id) }
          if rows[row.id, default: [row]].last != row { changed.insert(row.id) }
          if rows[row.id]?.contains(row) != true { rows[row.id, default: []].append(row) }
        }
        add(child)
      }
    }
    add(tree)
    ids.formUnion(seen)
  }

  /// The ids of the rows that changed, and of those that had the same identity as one of them at any time; of several edits,
  /// also of those that had the same as any other.
  func ids(sharing identity: (PipelineRow) -> Int?, isComposite: Bool) -> Set<Int> {
    var identities = Set(changed.flatMap { rows[$0]!.compactMap(identity) })
    if isComposite {
      var counts: [Int: Int] = [:]
      for versions in rows.values {
        for identity in Set(versions.compactMap(identity)) { counts[identity, default: 0] += 1 }
      }
      identities.formUnion(counts.filter { $0.value > 1 }.keys)
    }
    if identities.isEmpty { return [] }
    return changed.union(rows.filter { $0.value.contains { identity($0).map(identities.contains) ?? false } }.keys)
  }
}

extension NaiveTree<PipelineRow> {
  /// The ids of the values at every depth, the tree's own included.
  var ids: Set<Int> { children.reduce(into: Set(value.map { [$0.id] } ?? [])) { $0.formUnion($1.ids) } }
}
