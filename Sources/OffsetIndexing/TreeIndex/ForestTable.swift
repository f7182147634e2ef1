/// The forests of a tree index: the root of each forest, and the branch whose children are on its top level.
typealias ForestTable = NodeArena<ForestRecord>

enum ForestRecord: BlockLayout {
  static var byteCount: Int { MemoryLayout<ShapeTree.Forest>.stride }
}

extension ForestTable {
  @inline(__always)
  subscript(forest: UInt32) -> ShapeTree.Forest {
    get { unsafe pointer(to: forest, as: ShapeTree.Forest.self).pointee }
    nonmutating set { unsafe pointer(to: forest, as: ShapeTree.Forest.self).pointee = newValue }
  }

  mutating func insert(_ forest: ShapeTree.Forest) -> UInt32 {
    let number = allocate()
    self[number] = forest
    return number
  }

  mutating func remove(_ number: UInt32) -> ShapeTree.Part {
    let part = self[number].part
    release(number)
    return part
  }
}
