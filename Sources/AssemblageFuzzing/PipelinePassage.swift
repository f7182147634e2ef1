import AssemblageTesting

/// What the sources of a pipeline did with their rows in one step: who survived it, as law 5 has it.
///
/// A row that one edit takes out of a source and another puts into one is another row, and so is one of which a node was
/// told that it is: nodes do not compare what they show.
struct PipelinePassage {
  /// The ids of rows that were taken out and put in again.
  var replaced: Set<Int> = []
  /// The ids of rows that one edit took from one place among siblings to another parent or source.
  private(set) var moved: Set<Int> = []
  /// The edits that took rows out, by the ids of the rows.
  private var departures: [Int: Int] = [:]
  private var edit = 0

  /// Begins an edit, which may change several models.
  mutating func beginEdit() { edit += 1 }

  /// Takes in that the model of a source became another.
  mutating func change(_ former: any NodeModel, to present: any NodeModel) {
    let (old, new) = (former.ownRows.parents, present.ownRows.parents)
    for id in old.keys where new[id] == nil { departures[id] = edit }
    for (id, parent) in new {
      if let former = old[id] {
        if former != parent { moved.insert(id) }
      } else if let departure = departures[id] {
        if departure == edit { moved.insert(id) } else { replaced.insert(id) }
      }
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
  private(set) var changed: Set<Int> = []
  private var rows: [Int: PipelineRow] = [:]

  /// Takes in the node's contents at one time.
  mutating func add(_ tree: NaiveTree<PipelineRow>) {
    var seen: Set<Int> = []
    func add(_ tree: NaiveTree<PipelineRow>) {
      for child in tree.children {
        if let row = child.value {
          if !seen.insert(row.id).inserted { repeated.insert(row.id) }
          if rows.updateValue(row, forKey: row.id) ?? row != row { changed.insert(row.id) }
        }
        add(child)
      }
    }
    add(tree)
    ids.formUnion(seen)
  }
}

extension NodeModel {
  /// The rows that a source holds itself.
  fileprivate var ownRows: NaiveTree<PipelineRow> { contents { _ in NaiveTree(value: nil) } }
}

extension NaiveTree<PipelineRow> {
  /// The ids of the values at every depth, the tree's own included.
  var ids: Set<Int> { children.reduce(into: Set(value.map { [$0.id] } ?? [])) { $0.formUnion($1.ids) } }

  /// The path of each row's parent, by the rows' ids.
  fileprivate var parents: [Int: [Int]] {
    var parents: [Int: [Int]] = [:]
    func add(_ tree: NaiveTree, at path: [Int]) {
      for (position, child) in tree.children.enumerated() {
        if let id = child.value?.id { parents[id] = path }
        add(child, at: path + [position])
      }
    }
    add(self, at: [])
    return parents
  }
}
