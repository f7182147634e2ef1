import AssemblageTesting

/// The changes that the sources of a pipeline made to their rows in one step. They decide which rows survived the step
/// under law 5.
///
/// If one edit removes a row from a source and another edit inserts the row, it is another row afterwards. A row that a
/// node was asked to replace is another row, too: nodes do not compare the rows that they show. If a row has the same
/// parent at the end as at the beginning, the row shares the fate of this parent. That holds even if the row was
/// elsewhere in between.
struct PipelinePassage {
  /// The ids of rows that were removed and inserted again.
  var replaced: Set<Int> = []
  /// The edits that removed rows, by the ids of the rows.
  private var departures: [Int: Int] = [:]
  private var edit = 0
  /// The ids of the parents that rows had before the step, and have now; nil where the source itself is the parent.
  private var parents: [Int: (first: Int?, last: Int?)] = [:]

  /// Begins an edit, which may change several models.
  mutating func beginEdit() { edit += 1 }

  /// Records the change of the rows of a node that holds children of its own.
  mutating func change(_ former: Rows, to present: Rows) {
    for (id, parent) in former.parents where parents[id] == nil { parents[id] = (parent, parent) }
    for (id, parent) in present.parents { parents[id, default: (nil, parent)].last = parent }
    for id in former.parents.keys where present.parents[id] == nil { departures[id] = edit }
    for id in present.parents.keys where former.parents[id] == nil {
      if let departure = departures[id], departure != edit { replaced.insert(id) }
    }
  }

  /// The ids of rows that may be reported as removed and inserted.
  var others: Set<Int> {
    var others = replaced
    var count = -1
    while !others.isEmpty, count != others.count {
      count = others.count
      for (id, (first, last)) in parents {
        if let first, first == last, others.contains(first) { others.insert(id) }
      }
    }
    return others
  }

  /// The rows of a node with children of its own.
  struct Rows {
    /// The ids of the rows' parents, by the ids of the rows. The rows are the node's own rows and the rows of the nodes
    /// among its children, which arrive and leave with these nodes. The node's own value is not among them.
    fileprivate private(set) var parents: [Int: Int?] = [:]

    /// The rows of `contents`.
    init(_ contents: NaiveTree<PipelineRow>) { add(contents, nil) }

    private mutating func add(_ tree: NaiveTree<PipelineRow>, _ parent: Int?) {
      for child in tree.children {
        if let row = child.value { parents.updateValue(parent, forKey: row.id) }
        add(child, child.value?.id ?? parent)
      }
    }
  }
}

/// The rows that a node showed at any time in a step.
struct PipelinePlaces {
  /// The ids of the rows that the node showed.
  private(set) var ids: Set<Int> = []
  /// The ids of the rows that the node showed in several places.
  private(set) var repeated: Set<Int> = []
  /// The ids of the rows that changed.
  private var changed: Set<Int> = []
  /// The versions of the rows that the node showed, by the rows' ids.
  private var rows: [Int: [PipelineRow]] = [:]

  /// Adds the node's contents at one time.
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

  /// The ids of the rows that changed, and of the rows that had the same identity as a changed row at any time. After
  /// several edits, also the ids of the rows that had the same identity as any other row.
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
  var ids: Set<Int> {
    var ids: Set<Int> = []
    func add(_ tree: NaiveTree) {
      if let value = tree.value { ids.insert(value.id) }
      for child in tree.children { add(child) }
    }
    add(self)
    return ids
  }
}
