/// What a segment node shows by itself when its members come and go.
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
  /// What becomes of the first member, which is inserted where there is none.
  ///
  /// ```swift
  /// let tabs = SegmentNode<String>(policy: SegmentPolicy(first: .shown))
  /// tabs.appendMember(ArrayNode(["Home"]))
  /// tabs.selection    // 0; nil where the policy is `.hidden`
  /// ```
  public enum First: Hashable, Sendable {
    /// It is not shown.
    case hidden
    /// It is shown.
    case shown
  }

  /// What is shown in the place of a member that is removed while it is shown.
  ///
  /// ```swift
  /// let tabs = SegmentNode<String>(policy: SegmentPolicy(first: .shown, replacement: .next))
  /// for name in ["Home", "Work"] { tabs.appendMember(ArrayNode([name])) }
  /// tabs.removeMember(at: 0)
  /// tabs.elements     // ["Work"]; `[]` where the policy is `.none`
  /// ```
  public enum Replacement: Hashable, Sendable {
    /// Nothing.
    case none
    /// The member behind it; where it was the last, the one before it.
    case next
    /// The member before it; where it was the first, the one behind it.
    case previous
  }

  /// What becomes of the first member, which is inserted where there is none.
  public var first: First

  /// What is shown in the place of a member that is removed while it is shown.
  public var replacement: Replacement

  /// Creates a policy; by default the first member is not shown, and nothing replaces one.
  ///
  /// - Parameters:
  ///   - first: what becomes of the first member.
  ///   - replacement: what is shown in the place of a member that is removed.
  public init(first: First = .hidden, replacement: Replacement = .none) {
    self.first = first
    self.replacement = replacement
  }

  /// The ordinal that replaces one that is removed, both before the removal; nil for none.
  func neighbor(of ordinal: Int, among count: Int) -> Int? {
    switch replacement {
    case .none: nil
    case .next: ordinal + 1 < count ? ordinal + 1 : ordinal > 0 ? ordinal - 1 : nil
    case .previous: ordinal > 0 ? ordinal - 1 : count > 1 ? 1 : nil
    }
  }
}
