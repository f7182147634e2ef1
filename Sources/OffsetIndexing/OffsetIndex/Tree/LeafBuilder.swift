/// Packs a sequence of sizes into leaves. Each leaf has the form that holds the most sizes.
///
/// The builder holds memory until `finish()`, which must be called once. This is the reason of the `unsafe` marks.
@safe struct LeafBuilder {
  private let storage: IndexStorage

  /// Whether the first leaf stays full if there are too many sizes for one leaf. This is right where sizes are appended
  /// one by one.
  private let keepsFirstFull: Bool

  /// The sizes that are in no leaf yet: the runs in `first..<end`. `end` is less than `room` after each append.
  private let pending: UnsafeMutablePointer<SizeRun>
  private static let room = 2 * (SmallLayout.capacity + 1)
  private var first = 0
  private var end = 0
  /// The number of sizes in these runs.
  private var pendingCount = 0

  /// The leaves made so far.
  private(set) var entries: [NodeEntry] = []

  init(_ storage: IndexStorage, keepsFirstFull: Bool = false) {
    self.storage = storage
    self.keepsFirstFull = keepsFirstFull
    unsafe pending = .allocate(capacity: Self.room)
  }

  private var limits: NodeLimits { storage.head.limits }

  /// Appends `count` equal sizes. `count` may be 0.
  @inline(__always) mutating func append(_ size: Int, count: Int = 1) {
    guard count > 0 else { return }
    pendingCount &+= count
    if end > first, unsafe pending[end &- 1].size == size {
      unsafe pending[end &- 1].count &+= count
    } else {
      unsafe pending[end] = SizeRun(size: size, count: count)
      end &+= 1
      if end == Self.room { emitFullLeaves() }
    }
  }

  /// Makes leaves while there are surely enough sizes for them. The sizes that stay for `finish()` are enough for one
  /// leaf.
  @inline(never) private mutating func emitFullLeaves() {
    let fill = NodeLimits.fill(limits.leaf)
    while end - first >= 2 * fill { emit(sizes: fill, runs: NodeLimits.fill(limits.runs)) }
    let rest = end - first
    unsafe pending.update(from: pending + first, count: rest)
    first = 0
    end = rest
  }

  /// Appends sizes from memory. Stops the program if one is negative or their sum overflows.
  ///
  /// - Returns: the sum of the sizes.
  mutating func append(checking sizes: UnsafeBufferPointer<Int>) -> Int {
    let fill = NodeLimits.fill(limits.leaf)
    var total = 0
    var place = 0
    while place < sizes.count {
      let end = Swift.min(place + fill, sizes.count)
      let part = unsafe UnsafeBufferPointer(rebasing: sizes[place..<end])
      // The usual case goes from memory to memory. The sizes left at the end must be enough for a leaf of their own.
      if sizes.count - place >= 2 * fill, unsafe takesSmallLeaf(part) {
        if pendingCount > 0 { emitPending() }
        let leafTotal = unsafe emitSmall(part)
        total = Self.sum(total, leafTotal)
      } else {
        for index in 0..<part.count {
          let size = unsafe part[index]
          guard size >= 0 else { SumTrap.negative("size", size) }
          total = Self.sum(total, size)
          append(size)
        }
      }
      place = end
    }
    return total
  }

  @inline(__always) private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    guard !overflow else { SumTrap.overflow("sum of sizes") }
    return sum
  }

  /// Whether a small leaf is the right form for the sizes. It is if no size is too large for it, and if most of the
  /// sizes are not in runs.
  @inline(__always) private func takesSmallLeaf(_ sizes: UnsafeBufferPointer<Int>) -> Bool {
    var bits = 0
    for index in 0..<sizes.count { unsafe bits |= sizes[index] }
    // A negative size has the highest bit set.
    guard UInt(bitPattern: bits) <= UInt(bitPattern: SmallLayout.largestSize) else { return false }
    var changes = 0
    for index in 1..<Swift.max(1, sizes.count) {
      changes &+= unsafe sizes[index] == sizes[index &- 1] ? 0 : 1
    }
    return changes >= NodeLimits.fill(limits.runs)
  }

  /// Makes a small leaf of the given sizes, and returns their sum. The sizes must fit in such a leaf.
  private mutating func emitSmall(_ sizes: UnsafeBufferPointer<Int>) -> Int {
    let number = storage.head.leaves.allocate()
    let leaf = unsafe DenseLeaf<SmallLayout>(storage.head.leaves[number])
    let total = leaf.fill(sizes.count) { unsafe sizes[$0] }
    entries.append(NodeEntry(node: LeafForm.small.reference(number), count: sizes.count, total: total))
    return total
  }

  /// Appends the sizes in `range` of a leaf.
  ///
  /// The sizes are read from a copy of the leaf, because a new leaf may move the arena.
  mutating func append(leaf reference: UInt32, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let size = storage.head.leaves.blockSize
    unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 128) { copy in
      guard let block = copy.baseAddress else { return }
      unsafe block.copyMemory(from: storage.head.leaves[LeafForm.number(reference)], byteCount: size)
      unsafe append(LeafForm(of: reference), block, range)
    }
  }

  private mutating func append(_ form: LeafForm, _ block: UnsafeMutableRawPointer, _ range: Range<Int>) {
    switch form {
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

  /// Makes leaves of all appended sizes, and frees the builder's memory.
  mutating func finish() {
    emitPending()
    unsafe pending.deallocate()
  }

  private mutating func emitPending() {
    let limits = limits
    while end > first {
      emit(
        sizes: share(pendingCount, limits.leaf), runs: share(end - first, limits.runs),
        large: share(pendingCount, limits.large))
    }
    first = 0
    end = 0
  }

  /// The number of sizes or runs for the next leaf, out of `count`. It leaves enough for the last leaf.
  private func share(_ count: Int, _ capacity: Int) -> Int {
    if count <= capacity || keepsFirstFull { return Swift.min(count, capacity) }
    let fill = NodeLimits.fill(capacity)
    return count < 2 * fill ? (count + 1) / 2 : fill
  }

  /// Makes a leaf of at most as many sizes, or as many runs. The leaf has the form that holds the most sizes.
  private mutating func emit(sizes: Int, runs: Int, large: Int? = nil) {
    var byRuns = 0
    let runs = Swift.min(runs, end - first)
    for run in first..<first + runs { unsafe byRuns += pending[run].count }
    // Runs must be long to be worth a leaf of runs, because the other forms are faster.
    if byRuns >= sizes, byRuns >= 4 * runs { return emitRuns(runs, byRuns) }
    let bySmall = fitting(SmallLayout.largestSize, sizes)
    if bySmall >= sizes || bySmall >= byRuns && bySmall >= limits.large {
      return emitDense(SmallLayout.self, .small, bySmall)
    }
    let byLarge = fitting(LargeLayout.largestSize, large ?? NodeLimits.fill(limits.large))
    if bySmall >= Swift.max(byRuns, byLarge) { return emitDense(SmallLayout.self, .small, bySmall) }
    if byLarge >= byRuns { return emitDense(LargeLayout.self, .large, byLarge) }
    emitRuns(runs, byRuns)
  }

  /// The number of sizes before the first size that is larger than `largest`, at most `most`.
  private func fitting(_ largest: Int, _ most: Int) -> Int {
    var count = 0
    var run = first
    while run < end, count < most, unsafe pending[run].size <= largest {
      let next = unsafe pending[run].count
      count = next >= most - count ? most : count + next
      run += 1
    }
    return count
  }

  private mutating func emitDense<Layout: DenseLayout>(
    _ layout: Layout.Type, _ form: LeafForm, _ count: Int
  ) {
    let number = storage.head.leaves.allocate()
    let leaf = unsafe DenseLeaf<Layout>(storage.head.leaves[number])
    let total = leaf.fill(count) { _ in
      let size = unsafe pending[first].size
      unsafe pending[first].count &-= 1
      if unsafe pending[first].count == 0 { first &+= 1 }
      return size
    }
    finishLeaf(form.reference(number), count, total)
  }

  private mutating func emitRuns(_ runs: Int, _ count: Int) {
    let number = storage.head.leaves.allocate()
    let leaf = unsafe RunLeaf(storage.head.leaves[number])
    leaf.count = 0
    let new = unsafe UnsafeBufferPointer(start: pending + first, count: runs)
    unsafe leaf.replace(0..<0, with: new)
    let total = unsafe new.reduce(0) { $0 + $1.total }
    first += runs
    finishLeaf(LeafForm.runs.reference(number), count, total)
  }

  private mutating func finishLeaf(_ reference: UInt32, _ count: Int, _ total: Int) {
    pendingCount -= count
    entries.append(NodeEntry(node: reference, count: count, total: total))
  }
}
