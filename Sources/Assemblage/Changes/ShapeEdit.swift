public import OffsetIndexing

/// What an edit did to the children of one branch: said with the branch's handle, and without a path.
///
/// It is what nodes can follow that know the shape of the forest. What others hear, a change set with an entry for each
/// branch above, is made of it, where there is one who listens.
@usableFromInline
struct ShapeEdit {
  @usableFromInline
  enum Kind {
    /// Children came, with all that is below them; by their positions after.
    case inserted(Range<Int>)
    /// Children left, with all that was below them; by their positions before.
    case removed(Range<Int>)
    /// A child moved among its siblings, with all that is below it.
    case moved(from: Int, to: Int)
    /// Children got other values.
    case updated(Range<Int>)
    /// A leaf became a branch without children, or the other way round.
    case turned(Int)
    /// All this at once; of leaves that became branches no more than that they were updated.
    case rearranged(Delta)
  }

  /// The branch whose children they are: a handle of the forest's shape, after the edit.
  @usableFromInline let branch: TreeIndex.Branch
  @usableFromInline let kind: Kind
  /// Whether the children are known to be leaves.
  @usableFromInline let isOfLeaves: Bool

  @inlinable
  init(_ branch: TreeIndex.Branch, _ kind: Kind, ofLeaves isOfLeaves: Bool = false) {
    self.branch = branch
    self.kind = kind
    self.isOfLeaves = isOfLeaves
  }

  /// The edit that a delta tells of; nil where that is of nothing.
  init?(_ branch: TreeIndex.Branch, _ delta: Delta, ofLeaves isOfLeaves: Bool) {
    switch delta.storage {
    case .identity: return nil
    case .insertion(let range): self.init(branch, .inserted(range), ofLeaves: isOfLeaves)
    case .removal(let range): self.init(branch, .removed(range), ofLeaves: isOfLeaves)
    case .update(let range): self.init(branch, .updated(range), ofLeaves: isOfLeaves)
    case .several: self.init(branch, .rearranged(delta), ofLeaves: isOfLeaves)
    }
  }

  /// The edit as the branch tells it.
  var delta: Delta {
    switch kind {
    case .inserted(let range): .insertion(range)
    case .removed(let range): .removal(range)
    case .moved(let position, let destination): .move(position..<position + 1, to: destination)
    case .updated(let range): .update(range)
    case .turned(let position): .update(position..<position + 1)
    case .rearranged(let delta): delta
    }
  }

  /// The child that got another value.
  var updatedChild: Int? {
    if case .updated(let range) = kind, range.count == 1 { range.lowerBound } else { nil }
  }
}
