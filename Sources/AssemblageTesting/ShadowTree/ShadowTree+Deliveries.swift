import Assemblage

extension ShadowTree {
  /// Takes in a delivery; what is wrong with it is kept for the next check.
  func hear(_ change: ChangeSet) {
    deliveryCount += 1
    guard fault == nil else { return }
    let present = FlatTree(of: node)
    do {
      contents = try followed(change, to: present)
    } catch {
      fault = Fault(finding: error, shown: present, delivery: deliveryCount)
    }
  }

  private func followed(_ change: ChangeSet, to present: FlatTree<Element>) throws(Finding) -> FlatTree<Element> {
    guard !change.isEmpty else {
      throw Finding(.oneDeliveryATransaction, at: [], "an empty change was delivered")
    }
    let replayed = try Replay.contents(
      after: change, from: contents, to: present, MinimalityCheck(demands: minimality, checker: checker))
    if let difference = replayed.firstDifference(from: present, by: checker.areEqual) {
      throw Finding(
        .replayAgrees, at: present.path(to: difference.entry), "replaying \(change) gives \(difference.text)")
    }
    do {
      try checker.check(node)
    } catch {
      throw Finding(
        .deliveriesAreSettled, at: Array(error.path),
        "during the delivery of \(change) \(error.law) was broken: \(error.finding)")
    }
    do {
      try duringDelivery?()
    } catch {
      throw Finding(.deliveriesAreSettled, at: [], "during the delivery of \(change): \(error)")
    }
    return present
  }

  /// What a fault found during a delivery means, now that the transaction is over.
  ///
  /// A change that does not lead to what the node showed is wrong, unless the node went on changing after the delivery:
  /// then the node was not settled. A law that is broken now as well was not broken by the delivery.
  func settled(_ fault: Fault, _ present: FlatTree<Element>) -> Finding {
    var finding = fault.finding
    switch finding.law {
    case .replayAgrees where fault.delivery == deliveryCount:
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
