/// A leaf that holds runs of equal sizes.
///
/// A search begins at the first run, because there are few runs.
@safe struct RunLeaf {
  static let capacity = 19

  /// The block of memory. All of it belongs to the leaf: the number of runs, and then the runs from byte 16 on.
  private let block: UnsafeMutableRawPointer

  @inline(__always) init(_ block: UnsafeMutableRawPointer) { unsafe self.block = block }

  /// The number of runs.
  var count: Int {
    @inline(__always) get { unsafe block.load(as: Int.self) }
    @inline(__always) nonmutating set { unsafe block.storeBytes(of: newValue, as: Int.self) }
  }

  @inline(__always) var runs: UnsafeMutablePointer<SizeRun> {
    unsafe (block + 16).assumingMemoryBound(to: SizeRun.self)
  }

  /// The size that contains `offset`. The offset must be below the total.
  func locate(_ offset: Int) -> (index: Int, offset: Int) {
    var rest = offset
    var index = 0
    var run = unsafe runs
    while unsafe run.pointee.total <= rest {
      unsafe rest &-= run.pointee.total
      unsafe index &+= run.pointee.count
      unsafe run += 1
    }
    let size = unsafe run.pointee.size
    // A division takes longer than the rest of the search, and in most runs the size is 1.
    if size == 1 { return (index &+ rest, 0) }
    let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: size)
    return (index &+ quotient, remainder)
  }

  /// The run of the size at `index`, that size's place in the run, and the start of the run. At the end of the leaf,
  /// the run is one past the last run.
  @inline(__always) func find(_ index: Int) -> (run: Int, place: Int, start: Int) {
    let count = count
    var place = index
    var start = 0
    var run = 0
    while run < count, unsafe runs[run].count <= place {
      unsafe place &-= runs[run].count
      unsafe start &+= runs[run].total
      run &+= 1
    }
    return (run, place, start)
  }

  /// The start of the size at `index`.
  func start(_ index: Int) -> Int {
    let (run, place, start) = find(index)
    return unsafe place == 0 ? start : start &+ runs[run].size &* place
  }

  func size(_ index: Int) -> Int {
    let run = find(index).run
    return unsafe runs[run].size
  }

  /// Replaces the runs in `range` by `new`. There must be room.
  func replace(_ range: Range<Int>, with new: some Collection<SizeRun>) {
    let count = count
    let room = new.count
    // The runs after `range` move first. They may overlap their new place.
    unsafe (runs + range.lowerBound + room).update(
      from: runs + range.upperBound, count: count - range.upperBound)
    var place = range.lowerBound
    for run in new {
      unsafe runs[place] = run
      place += 1
    }
    self.count = count - range.count + room
  }
}

/// A number of equal sizes, one after the other.
struct SizeRun: Equatable {
  var size: Int
  var count: Int

  @inline(__always) var total: Int { size &* count }
}
