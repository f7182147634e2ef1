public import OffsetIndexing

/// An edit of the children of one branch, described with the branch's handle, and without a path.
///
/// Nodes that know the shape of the forest follow such an edit directly. For other dependents and for observers, if
/// there are any, the edit becomes a change set with an entry for each branch above.
@usableFromInline
struct ShapeEdit {
  @usableFromInline
  enum Kind {
    /// Children were inserted, with everything below them; by their positions after the edit.
    case inserted(Range<Int>)
    /// Children were removed, with everything below them; by their positions before the edit.
    case removed(Range<Int>)
    /// A child moved among its siblings, with everything below it.
    case moved(from: Int, to: Int)
    /// Children have new values.
    case updated(Range<Int>)
    /// A leaf became a branch without children, or a branch without children became a leaf.
    case turned(Int)
    /// Several of these edits at once. A leaf that became a branch is only reported as updated.
    case rearranged(Delta)
  }

  /// The branch of the children: a handle of the forest's shape, after the edit.
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

  /// Creates the edit that a delta describes; nil for an empty delta.
  init?(_ branch: TreeIndex.Branch, _ delta: Delta, ofLeaves isOfLeaves: Bool) {
    switch delta.storage {
    case .identity: return nil
    case .insertion(let range): self.init(branch, .inserted(range), ofLeaves: isOfLeaves)
    case .removal(let range): self.init(branch, .removed(range), ofLeaves: isOfLeaves)
    case .update(let range): self.init(branch, .updated(range), ofLeaves: isOfLeaves)
    case .several: self.init(branch, .rearranged(delta), ofLeaves: isOfLeaves)
    }
  }

  /// The edit as the delta that the branch reports.
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

  /// The child with a new value, if the edit is an update of one child.
  var updatedChild: Int? {
    if case .updated(let range) = kind, range.count == 1 { range.lowerBound } else { nil }
  }
}
