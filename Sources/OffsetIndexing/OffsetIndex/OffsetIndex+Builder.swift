/// Packs a sequence of sizes into leaves, each in the form that takes the most sizes.
struct LeafBuilder {
  private let storage: IndexStorage

  /// Whether two sizes too many for one leaf are parted so that the first leaf stays full: right where sizes are appended one by one.
  private let keepsFirstFull: Bool

  /// The sizes that are in no leaf yet: the runs from `first` on.
  private var pending: [SizeRun] = []
  private var first = 0
  private var pendingCount = 0

  /// The leaves made so far.
  private(set) var entries: [NodeEntry] = []

  init(_ storage: IndexStorage, keepsFirstFull: Bool = false) {
    self.storage = storage
    self.keepsFirstFull = keepsFirstFull
  }

  private var limits: NodeLimits { storage.head.limits }

  /// Appends `count` sizes, which may be none.
  @inline(__always) mutating func append(_ size: Int, count: Int = 1) {
    guard count > 0 else { return }
    pendingCount &+= count
    if pending.count > first, pending[pending.count - 1].size == size {
      pending[pending.count - 1].count &+= count
    } else {
      pending.append(SizeRun(size: size, count: count))
      // As many that two dense leaves can be filled; so what stays for `finish` is enough for one.
      if pending.count - first >= 2 * SmallLayout.capacity { emitFullLeaves() }
    }
  }

  @inline(never) private mutating func emitFullLeaves() {
    let fill = NodeLimits.fill(limits.leaf)
    while pending.count - first >= 2 * fill { emit(sizes: fill, runs: NodeLimits.fill(limits.runs)) }
    pending.removeSubrange(..<first)
    first = 0
  }

  /// Appends the sizes in `range` of a leaf.
  mutating func append(leaf reference: UInt32, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let block = unsafe storage.head.leaves[LeafForm.number(reference)]
    switch LeafForm(of: reference) {
    case .small: unsafe DenseLeaf<SmallLayout>(block).forEach(in: range) { append($0) }
    case .large: unsafe DenseLeaf<LargeLayout>(block).forEach(in: range) { append($0) }
    case .runs:
      let leaf = unsafe RunLeaf(block)
      var (run, place, _) = leaf.find(range.lowerBound)
      var rest = range.count
      while rest > 0 {
        let next = unsafe leaf.runs[run]
        let count = Swift.min(next.count - place, rest)
        append(next.size, count: count)
        rest -= count
        place = 0
        run += 1
      }
    }
  }

  /// Makes leaves of what is pending.
  mutating func finish() {
    let limits = limits
    while pending.count > first {
      let runs = pending.count - first
      emit(
        sizes: share(pendingCount, limits.leaf), runs: share(runs, limits.runs),
        large: share(pendingCount, limits.large))
    }
  }

  /// How many of `count` to put in the next leaf, so that the last one is not left with too few.
  private func share(_ count: Int, _ capacity: Int) -> Int {
    if count <= capacity || keepsFirstFull { return Swift.min(count, capacity) }
    let fill = NodeLimits.fill(capacity)
    return count < 2 * fill ? (count + 1) / 2 : fill
  }

  /// Makes a leaf of at most as many sizes, or as many runs, in the form that takes most.
  private mutating func emit(sizes: Int, runs: Int, large: Int? = nil) {
    var byRuns = 0
    let runsEnd = Swift.min(first + runs, pending.count)
    for run in pending[first..<runsEnd] { byRuns += run.count }
    // Runs must be long to be worth it: the other forms are faster.
    if byRuns >= sizes, byRuns >= 4 * (runsEnd - first) { return emitRuns(runsEnd - first, byRuns) }
    let bySmall = fitting(SmallLayout.largestSize, sizes)
    if bySmall >= sizes || bySmall >= byRuns && bySmall >= limits.large {
      return emitDense(SmallLayout.self, .small, bySmall)
    }
    let byLarge = fitting(LargeLayout.largestSize, large ?? NodeLimits.fill(limits.large))
    if bySmall >= Swift.max(byRuns, byLarge) { return emitDense(SmallLayout.self, .small, bySmall) }
    if byLarge >= byRuns { return emitDense(LargeLayout.self, .large, byLarge) }
    emitRuns(runsEnd - first, byRuns)
  }

  /// The number of sizes, at most `most`, before the first that is larger than `largest`.
  private func fitting(_ largest: Int, _ most: Int) -> Int {
    var count = 0
    for run in pending[first...] {
      guard run.size <= largest, count < most else { break }
      count = run.count >= most - count ? most : count + run.count
    }
    return count
  }

  private mutating func emitDense<Layout: DenseLayout>(
    _ layout: Layout.Type, _ form: LeafForm, _ count: Int
  ) {
    let number = storage.head.leaves.allocate()
    let leaf = unsafe DenseLeaf<Layout>(storage.head.leaves[number])
    let lanes = unsafe leaf.lanes(0)
    var total = 0
    var base = 0
    var index = 0
    var left = 0
    var size = 0
    for group in 0..<Layout.groups {
      base = total
      unsafe leaf.bases[group] = Layout.Base(truncatingIfNeeded: base)
      for lane in 0..<8 {
        unsafe lanes[group &* 8 &+ lane] = Layout.Lane(truncatingIfNeeded: total &- base)
        guard index < count else { continue }
        if left == 0 {
          size = pending[first].size
          left = pending[first].count
          first &+= 1
        }
        total &+= size
        left &-= 1
        index &+= 1
      }
    }
    if left > 0 {
      first -= 1
      pending[first].count = left
    }
    leaf.count = count
    finishLeaf(form.reference(number), count, total)
  }

  private mutating func emitRuns(_ runs: Int, _ count: Int) {
    let number = storage.head.leaves.allocate()
    let leaf = unsafe RunLeaf(storage.head.leaves[number])
    leaf.count = 0
    leaf.replace(0..<0, with: pending[first..<first + runs])
    let total = pending[first..<first + runs].reduce(0) { $0 + $1.total }
    first += runs
    finishLeaf(LeafForm.runs.reference(number), count, total)
  }

  private mutating func finishLeaf(_ reference: UInt32, _ count: Int, _ total: Int) {
    pendingCount -= count
    entries.append(NodeEntry(node: reference, count: count, total: total))
  }
}
