extension BranchNode: SectionNode {
  /// What stands above the children; nil, as at first, is nothing.
  ///
  /// Setting it tells the branch's observers that its value was updated, and those of a parent that its child was: a list view
  /// reloads the section. It may be taken back as other contents may, by a transaction that throws, and by an `UndoLog`.
  ///
  /// ```swift
  /// let fruit = BranchNode(leaves: ["apple"])
  /// let table = BranchNode([fruit])
  /// fruit.header = "Fruit"      // table reports an update of 0
  /// table.header(at: [0])       // "Fruit"
  /// ```
  ///
  /// - Complexity: O(1), and the propagation where it is set.
  public var header: Element? {
    get { state.value.supplements?.header }
    set { setSupplements(newValue, footer) }
  }

  /// What stands below the children; nil, as at first, is nothing. Setting it is told as for `header`.
  ///
  /// - Complexity: O(1), and the propagation where it is set.
  public var footer: Element? {
    get { state.value.supplements?.footer }
    set { setSupplements(header, newValue) }
  }

  private func setSupplements(_ header: Element?, _ footer: Element?) {
    hub.prepareForChange()
    let former = state.value.supplements
    state.value.supplements = .make(header: header, footer: footer, rule: rule)
    hub.publish(
      ChangeSet(updatesValue: true),
      inverse: { [self] in setSupplements(former?.header, former?.footer) })
    withExtendedLifetime(former) {}
  }
}

/// The header, footer and rule of a branch: an object, so that a branch without them carries one word more.
@usableFromInline
final class BranchSupplements<Element> {
  let header: Element?
  let footer: Element?
  let rule: ChildRule<Element>?

  private init(header: Element?, footer: Element?, rule: ChildRule<Element>?) {
    self.header = header
    self.footer = footer
    self.rule = rule
  }

  /// The object that holds these, or nil where there are none.
  static func make(header: Element?, footer: Element?, rule: ChildRule<Element>?) -> BranchSupplements? {
    if header == nil, footer == nil, rule == nil { return nil }
    return BranchSupplements(header: header, footer: footer, rule: rule)
  }
}
