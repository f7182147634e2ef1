import OffsetIndexing

/// A walk over the known part of a tree, in document order, which decides again for every child whether it is shown.
///
///     entry      0      1    2         parents before their children
///     record     root   b    d
///     verdicts   101    101  0         asked on the way there
///     shown      111    101  0         found on the way back, with the matches below
///
/// A sweep takes a few words of bits for each node. The change has only the nodes in which something has changed.
struct TreeFilterSweep {
  struct Entry {
    let record: TreeIndex.Branch
    /// The entry of the parent; -1 for the root.
    let parent: Int
    /// The position in the parent, in the source.
    let position: Int
    /// The number of entries of the node and of the nodes below it; found on the way back.
    var size = 1
  }

  /// A node in which, or below which, something has changed.
  struct Touch {
    let entry: Int
    /// The change of the children that are shown.
    let delta: Delta
    /// Whether the node is shown before and after.
    let stays: Bool
  }

  fileprivate(set) var entries = [Entry(record: TreeIndex.root, parent: -1, position: 0)]
  /// Which children pass, by entry.
  var verdicts: [BitRun] = []
  /// The number of matches below, by entry, that have no entries of their own.
  var others: [Int: Int] = [:]
  /// The touches, ascending by entry when everything is shown.
  fileprivate(set) var touches: [Touch] = []

  /// Creates a walk whose verdicts have not been asked yet.
  init(_ shape: TreeIndex) {
    var open = [0]
    for run in shape.runs() {
      guard let branch = run.branch else { continue }
      entries.append(Entry(record: branch, parent: open[run.depth], position: run.positions.lowerBound))
      open.removeSubrange((run.depth + 1)...)
      open.append(entries.count - 1)
    }
  }

  /// Creates a walk whose verdicts are known.
  ///
  /// - Parameters:
  ///   - translation: the translation of the tree.
  ///   - all: which elements of the tree pass, by document number.
  ///   - whole: the whole tree.
  init(_ translation: TreeFilterTranslation, passing all: BitRun, in whole: TreeIndex) {
    if translation.isEager {
      // All of the tree is known.
      self.init(translation.shape, passing: all)
      return
    }
    self.init(translation.shape)
    for (entry, branch) in zip(entries, branches(in: whole)) {
      let known = translation[entry.record].isLoaded ? branch : nil
      verdicts.append(known.map { all.ofChildren(of: $0, in: whole) } ?? BitRun(repeating: false, count: 0))
    }
  }

  /// Creates a walk whose verdicts are known.
  ///
  /// - Parameters:
  ///   - shape: the shape of the whole tree.
  ///   - passing: which elements of the whole tree pass, by document number.
  init(_ shape: TreeIndex, passing: BitRun) {
    var open = [0]
    verdicts = [BitRun(repeating: false, count: shape.childCount(of: TreeIndex.root))]
    for run in shape.runs() {
      let parent = open[run.depth]
      verdicts[parent].set(run.positions, from: passing, at: run.numbers.lowerBound)
      guard let branch = run.branch else { continue }
      entries.append(Entry(record: branch, parent: parent, position: run.positions.lowerBound))
      verdicts.append(BitRun(repeating: false, count: shape.childCount(of: branch)))
      open.removeSubrange((run.depth + 1)...)
      open.append(entries.count - 1)
    }
  }

  /// The branches of the entries in the whole tree; nil where the whole tree has a leaf.
  ///
  /// - Complexity: O(e · log n) for e entries, at any depth.
  fileprivate func branches(in whole: TreeIndex) -> [TreeIndex.Branch?] {
    var branches: [TreeIndex.Branch?] = [TreeIndex.root]
    for entry in entries.dropFirst() {
      branches.append(branches[entry.parent].flatMap { whole.branch(at: entry.position, of: $0) })
    }
    return branches
  }
}

extension TreeFilterTranslation {
  /// A bit for each element of the whole tree, by document number: whether the element is known to pass.
  func passing(in whole: TreeIndex) -> BitRun {
    if isEager { return passingByNumber }
    var result = BitRun(repeating: false, count: whole.count)
    let sweep = TreeFilterSweep(shape)
    for (entry, branch) in zip(sweep.entries, sweep.branches(in: whole)) where self[entry.record].isLoaded {
      if let branch { result.set(childrenOf: branch, in: whole, from: passes(in: entry.record)) }
    }
    return result
  }

  /// A bit for each element, by document number: whether the element passes. All elements are known.
  var passingByNumber: BitRun {
    var result = BitRun(repeating: false, count: shape.count)
    var open = [passes(in: TreeIndex.root)]
    for run in shape.runs() {
      result.set(run.numbers, from: open[run.depth], at: run.positions.lowerBound)
      guard let branch = run.branch else { continue }
      open.removeSubrange((run.depth + 1)...)
      open.append(passes(in: branch))
    }
    return result
  }

  /// Shows children by the verdicts of a sweep.
  ///
  /// - Parameters:
  ///   - sweep: the sweep, whose verdicts are known; receives the changes.
  ///   - isNew: whether nothing has been shown before, so that there is no change.
  mutating func show(_ sweep: inout TreeFilterSweep, isNew: Bool = false) {
    for entry in sweep.entries.dropFirst() {
      let isMatch = sweep.verdicts[entry.parent][entry.position]
      self[entry.record].isMatch = isMatch
      self[entry.record].showsAll =
        policy == .keepingDescendants && (isMatch || self[sweep.entries[entry.parent].record].showsAll)
    }
    var shown = sweep.verdicts
    var counts = [Int](repeating: 0, count: shown.count)
    var isTouched = [Bool](repeating: false, count: shown.count)
    for index in sweep.entries.indices.reversed() {
      let entry = sweep.entries[index]
      let record = entry.record
      let count = counts[index] + sweep.verdicts[index].setCount + (sweep.others[index] ?? 0)
      self[record].matchCount = count
      setPasses(sweep.verdicts[index], in: record)
      if self[record].showsAll { shown[index] = BitRun(repeating: true, count: shown[index].count) }
      var delta = Delta()
      if isNew {
        self[record].shown = ChildBits(shown[index])
      } else if !self[record].shown.isEqual(to: shown[index]) {
        delta = Delta(replacing: self[record].shown.bits(in: 0..<shown[index].count), by: shown[index])
        self[record].shown = ChildBits(shown[index])
        isTouched[index] = true
      }
      var stays = true
      if entry.parent >= 0 {
        let parent = sweep.entries[entry.parent].record
        sweep.entries[entry.parent].size += entry.size
        let isShown: Bool
        if isEager {
          counts[entry.parent] += count
          if count > 0 { shown[entry.parent].set(entry.position, to: true) }
          isShown = count > 0 || self[record].isMatch || self[parent].showsAll
        } else {
          isShown = self[record].isMatch
          if isShown { counts[entry.parent] += count }
        }
        stays = isShown && isTouched[index] && self[parent].shown[entry.position]
        if stays { isTouched[entry.parent] = true }
      }
      if isTouched[index] { sweep.touches.append(TreeFilterSweep.Touch(entry: index, delta: delta, stays: stays)) }
    }
    sweep.touches.reverse()
  }

  /// The change that a sweep made to the node of an entry, and below it.
  ///
  /// - Complexity: O(log n + s) for the s nodes below in which something has changed.
  func change(_ sweep: TreeFilterSweep, at top: Int) -> ChangeSet {
    let end = top + sweep.entries[top].size
    let first = sweep.touches.partitioningIndex { $0.entry >= top }
    guard first < sweep.touches.count, sweep.touches[first].entry == top else { return ChangeSet() }
    var nodes: [ChangeSet.Node] = []
    // The nodes on the way down that stay, each with the index in `nodes` at which the nodes below it begin.
    var open: [(touch: Int, start: Int)] = []
    func close() {
      let (touch, start) = open.removeLast()
      let entry = sweep.entries[sweep.touches[touch].entry]
      let parent = sweep.entries[entry.parent].record
      nodes.append(
        ChangeSet.Node(
          position: self[parent].shown.rank(entry.position), size: nodes.count - start + 1,
          delta: sweep.touches[touch].delta))
    }
    for touch in (first + 1)..<sweep.touches.count {
      let index = sweep.touches[touch].entry
      if index >= end { break }
      while let last = open.last.map({ sweep.touches[$0.touch].entry }), index >= last + sweep.entries[last].size {
        close()
      }
      let parent = open.last.map { sweep.touches[$0.touch].entry } ?? top
      if sweep.touches[touch].stays, sweep.entries[index].parent == parent { open.append((touch, nodes.count)) }
    }
    while !open.isEmpty { close() }
    return ChangeSet(delta: sweep.touches[first].delta, updatesValue: false, nodes: nodes)
  }
}
