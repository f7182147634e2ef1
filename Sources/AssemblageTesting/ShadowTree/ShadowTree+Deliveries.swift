import Assemblage

extension ShadowTree {
  /// Follows a delivery; a fault in it is kept for the next check.
  func receive(_ change: ChangeSet) {
    deliveryCount += 1
    lastChange = change
    guard fault == nil else { return }
    let present = FlatTree(of: node)
    do {
      tree = try followed(change, to: present)
    } catch {
      fault = Fault(finding: error, shown: present, delivery: deliveryCount)
    }
  }

  private func followed(_ change: ChangeSet, to present: FlatTree<Element>) throws(Finding) -> FlatTree<Element> {
    guard !change.isEmpty else {
      throw Finding(.oneDeliveryATransaction, at: [], "an empty change was delivered")
    }
    // This check is first, because a node whose look-ups disagree has no contents to compare with.
    do {
      try checker.check(node)
    } catch {
      throw Finding(
        .deliveriesAreSettled, at: Array(error.path),
        "during the delivery of \(change) \(error.law) was broken: \(error.finding)")
    }
    let (replayed, excess) = try Replay.contents(
      after: change, from: tree, to: present,
      MinimalityCheck(demands: minimality, checker: checker, identifies: identifies))
    if let difference = replayed.firstDifference(from: present, by: checker.areEqual) {
      throw Finding(
        .replayAgrees, at: present.path(to: difference.entry), "replaying \(change) gives \(difference.text)")
    }
    if let excess { throw excess }
    do {
      try duringDelivery?()
    } catch {
      throw Finding(.deliveriesAreSettled, at: [], "during the delivery of \(change): \(error)")
    }
    return present
  }

  /// A change that no delivery reported, or that the last delivery since the last check reported too early.
  func unannounced(_ present: FlatTree<Element>) -> Fault? {
    guard let difference = present.firstDifference(from: tree, by: checker.areEqual) else { return nil }
    let path = tree.path(to: difference.entry)
    var finding = Finding(
      .replayAgrees, at: path,
      "it shows \(difference.text), without having said so in \(counted(deliveryCount, "delivery", "deliveries"))")
    if deliveryCount > checkedCount, lastChange.paths.updates.contains(IndexPath(indexes: path)) {
      finding = Finding(
        .deliveriesAreSettled, at: path,
        "it shows \(difference.text), which was reported in \(lastChange) but not shown then")
    }
    return Fault(finding: finding, shown: present, delivery: deliveryCount)
  }

  /// The meaning of a fault that was found during a delivery, now that the transaction is over.
  ///
  /// A change that does not lead to the node's contents is wrong, unless the node changed again after the delivery:
  /// then the node was not settled. A law that is broken now as well was not broken by the delivery.
  func settled(_ fault: Fault, _ present: FlatTree<Element>) -> Finding {
    var finding = fault.finding
    switch finding.law {
    case .replayAgrees, .changesAreMinimal:
      guard fault.delivery == deliveryCount else { break }
      if let difference = present.firstDifference(from: fault.shown, by: checker.areEqual) {
        let path = present.path(to: difference.entry)
        finding = Finding(
          .deliveriesAreSettled, at: path,
          "after the delivery it shows \(difference.text), without having said so; \(finding.text)")
      }
    case .deliveriesAreSettled:
      do {
        try checker.check(node)
      } catch {
        finding = Finding(error.law, at: Array(error.path), error.finding)
      }
    default: break
    }
    return finding
  }
}
