/// Says which member a segment node shows by itself, when its first member arrives and when the shown member leaves.
///
/// ```swift
/// let tabs = SegmentNode<String>(policy: SegmentPolicy(first: .shown, replacement: .next))
/// tabs.appendMember(ArrayNode(["Home"]))
/// tabs.selection              // 0
/// tabs.appendMember(ArrayNode(["Work"]))
/// tabs.removeMember(at: 0)
/// tabs.elements               // ["Work"]
/// ```
public struct SegmentPolicy: Hashable, Sendable {
  /// Says whether a member that is inserted into a node without members is shown.
  ///
  /// ```swift
  /// let tabs = SegmentNode<String>(policy: SegmentPolicy(first: .shown))
  /// tabs.appendMember(ArrayNode(["Home"]))
  /// tabs.selection    // 0; nil where the policy is `.hidden`
  /// ```
  public enum First: Hashable, Sendable {
    /// The first member is not shown.
    case hidden
    /// The first member is shown.
    case shown
  }

  /// Says which member is shown after the removal of the shown member.
  ///
  /// ```swift
  /// let tabs = SegmentNode<String>(policy: SegmentPolicy(first: .shown, replacement: .next))
  /// for name in ["Home", "Work"] { tabs.appendMember(ArrayNode([name])) }
  /// tabs.removeMember(at: 0)
  /// tabs.elements     // ["Work"]; `[]` where the policy is `.none`
  /// ```
  public enum Replacement: Hashable, Sendable {
    /// No member is shown.
    case none
    /// The member behind the removed one is shown; where that was the last member, the one before it is shown.
    case next
    /// The member before the removed one is shown; where that was the first member, the one behind it is shown.
    case previous
  }

  /// Whether a member that is inserted into a node without members is shown.
  let first: First

  /// The member that is shown after the removal of the shown member.
  let replacement: Replacement

  /// Creates a policy; by default, the first member is not shown and no member replaces a removed one.
  ///
  /// - Parameters:
  ///   - first: whether a member that is inserted into a node without members is shown.
  ///   - replacement: the member that is shown after the removal of the shown member.
  public init(first: First = .hidden, replacement: Replacement = .none) {
    self.first = first
    self.replacement = replacement
  }

  /// The ordinal of the member that replaces a removed one; nil where no member does.
  ///
  /// Both ordinals count before the removal.
  func neighbor(of ordinal: Int, among count: Int) -> Int? {
    switch replacement {
    case .none: nil
    case .next: ordinal + 1 < count ? ordinal + 1 : ordinal > 0 ? ordinal - 1 : nil
    case .previous: ordinal > 0 ? ordinal - 1 : count > 1 ? 1 : nil
    }
  }
}
