/// A leaf that holds runs of equal sizes.
///
/// It is searched from its beginning: there are few.
@safe struct RunLeaf {
  static let capacity = 19

  /// The block of memory, all of which belongs to the leaf: the number of runs, then the runs from byte 16
  /// on.
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

  /// The size in which `offset` lies, which must be below the total.
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
    // A division takes longer than the rest of the search, and most runs are of ones.
    if size == 1 { return (index &+ rest, 0) }
    let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: size)
    return (index &+ quotient, remainder)
  }

  /// The run of the size at `index`, that size's place in it, and where the run begins. At the end of the
  /// leaf, the run is one past the last.
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

  /// Where the size at `index` begins.
  func start(_ index: Int) -> Int {
    let (run, place, start) = find(index)
    return unsafe place == 0 ? start : start &+ runs[run].size &* place
  }

  func size(_ index: Int) -> Int {
    let run = find(index).run
    return unsafe runs[run].size
  }

  /// Puts `new` in place of the runs in `range`; there must be room.
  func replace(_ range: Range<Int>, with new: some Collection<SizeRun>) {
    let count = count
    let room = new.count
    // The runs after `range` first; they may overlap their new place.
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
