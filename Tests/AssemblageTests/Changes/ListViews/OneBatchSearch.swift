import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// Tries all batches to find whether a change of sections and rows can be one batch with as few moves as possible.
struct OneBatchSearch {
  let before: ChangeTree
  let after: ChangeTree
  private var rowsBefore: [Int: (section: Int, path: IndexPath)] = [:]
  private var rowsAfter: [Int: (section: Int, path: IndexPath)] = [:]
  private let sectionsBefore: [Int]
  private let sectionsAfter: [Int]

  init(from before: ChangeTree, to after: ChangeTree) {
    self.before = before
    self.after = after
    sectionsBefore = before.children.map(\.id)
    sectionsAfter = after.children.map(\.id)
    for (section, child) in before.children.enumerated() {
      for (row, leaf) in child.children.enumerated() { rowsBefore[leaf.id] = (child.id, [section, row]) }
    }
    for (section, child) in after.children.enumerated() {
      for (row, leaf) in child.children.enumerated() { rowsAfter[leaf.id] = (child.id, [section, row]) }
    }
  }

  /// Whether the trees have two levels, and no row of one tree is a section of the other.
  var isApplicable: Bool {
    let sections = Set(sectionsBefore + sectionsAfter)
    return (before.allPaths + after.allPaths).allSatisfy { $0.count <= 2 }
      && sections.isDisjoint(with: rowsBefore.keys) && sections.isDisjoint(with: rowsAfter.keys)
  }

  func isPossible() -> Bool {
    let fixed = fixedLists()
    var choices = [moves(of: sectionsBefore, sectionsAfter, [], [])]
    for (new, child) in after.children.enumerated() {
      guard let old = sectionsBefore.firstIndex(of: child.id) else { continue }
      choices.append(moves(of: before.children[old].children.map(\.id), child.children.map(\.id), [old], [new]))
    }
    var batches = [fixed]
    for choice in choices {
      batches = batches.flatMap { batch in
        choice.map { moves in
          var batch = batch
          batch.moves += moves
          return batch
        }
      }
    }
    let final = TreeSnapshot(after)
    let source = ViewDataSource<Row>(count: { final.count(at: $0) ?? 0 }, value: { final.value(at: $0) })
    return batches.contains { batch in
      var view = ListViewModel(TreeSnapshot(before))
      do { try view.perform(batch, from: source) } catch { return false }
      return view == ListViewModel(final)
    }
  }

  /// Returns the part of the batch that is the same, whichever rows move.
  private func fixedLists() -> ListBatch {
    var batch = ListBatch()
    let stay = Set(sectionsBefore).intersection(sectionsAfter)
    for (section, id) in sectionsBefore.enumerated() where !stay.contains(id) { batch.deletions.append([section]) }
    for (section, id) in sectionsAfter.enumerated() where !stay.contains(id) { batch.insertions.append([section]) }
    var reloaded: Set<Int> = []
    for (section, child) in before.children.enumerated() {
      if let other = after.children.first(where: { $0.id == child.id }), other.version != child.version {
        batch.reloads.append([section])
        reloaded.insert(child.id)
      }
    }
    for (id, row) in rowsBefore {
      guard let other = rowsAfter[id] else {
        if stay.contains(row.section) { batch.deletions.append(row.path) }
        continue
      }
      if other.section != row.section { batch.moves.append(.init(from: row.path, to: other.path)) }
      if before[row.path].version != after[other.path].version, !reloaded.contains(row.section) {
        batch.reloads.append(row.path)
      }
    }
    for (id, row) in rowsAfter where rowsBefore[id] == nil && stay.contains(row.section) {
      batch.insertions.append(row.path)
    }
    return batch
  }

  /// Returns all lists of the fewest moves that make the new order.
  private func moves(
    of old: [Int], _ new: [Int], _ oldPath: IndexPath, _ newPath: IndexPath
  ) -> [[ChangeSet.Paths.Move]] {
    let survivors = new.enumerated().compactMap { place, id in
      old.firstIndex(of: id).map { (old: $0, new: place) }
    }
    var best: [[ChangeSet.Paths.Move]] = []
    for bits in 0..<(1 << survivors.count) {
      let staying = survivors.indices.filter { bits >> $0 & 1 == 1 }.map { survivors[$0].old }
      guard staying == staying.sorted() else { continue }
      let moves = survivors.indices.filter { bits >> $0 & 1 == 0 }.map {
        ChangeSet.Paths.Move(
          from: oldPath.appending(survivors[$0].old), to: newPath.appending(survivors[$0].new))
      }
      if let count = best.first?.count {
        if moves.count > count { continue }
        if moves.count < count { best = [] }
      }
      best.append(moves)
    }
    return best
  }
}
