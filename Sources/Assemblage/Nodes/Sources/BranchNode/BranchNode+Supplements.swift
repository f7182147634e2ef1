extension BranchNode: SectionNode {
  /// The element above the children; nil, as at first, if there is none.
  ///
  /// Setting the header notifies the branch's observers of an update of its value, and a parent's observers of an
  /// update of the child: a list view reloads the section. A transaction that throws and an `UndoLog` can revert this
  /// change, as they can revert other changes of contents.
  ///
  /// ```swift
  /// let fruit = BranchNode(leaves: ["apple"])
  /// let table = BranchNode([fruit])
  /// fruit.header = "Fruit"      // table reports an update of 0
  /// table.header(at: [0])       // "Fruit"
  /// ```
  ///
  /// - Complexity: O(1), and the propagation if it is set.
  public var header: Element? {
    get { state.value.supplements?.header }
    set { setSupplements(newValue, footer) }
  }

  /// The element below the children; nil, as at first, if there is none.
  ///
  /// Setting it is reported as for `header`.
  ///
  /// - Complexity: O(1), and the propagation if it is set.
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

/// The header, footer and rule of a branch. This is an object, so that a branch without them needs only one word more.
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

  /// Creates an object that holds these values; returns nil if there are none.
  static func make(header: Element?, footer: Element?, rule: ChildRule<Element>?) -> BranchSupplements? {
    if header == nil, footer == nil, rule == nil { return nil }
    return BranchSupplements(header: header, footer: footer, rule: rule)
  }
}
