// swift-format-ignore-file
// Printed by a `PipelineFuzzer`; see `PrintedPipelineTests`.
import Assemblage
import AssemblageFuzzing
import AssemblageTesting
import Foundation

func printedPipeline() throws {
  var array1: ArrayNode<PipelineRow>!
  var single2: SingleNode<PipelineRow>!
  var provider3Rows: [PipelineRow]!
  var provider3: ProviderNode<PipelineRow>!
  var branch4: BranchNode<PipelineRow>!
  var join5: JoinNode<PipelineRow>!
  var filter6: FilterNode<PipelineRow>!
  var shadow1: ShadowTree<PipelineRow>!
  var shadow2: ShadowTree<PipelineRow>!
  var shadow3: ShadowTree<PipelineRow>!
  var shadow4: ShadowTree<PipelineRow>!
  var shadow5: ShadowTree<PipelineRow>!
  var shadow6: ShadowTree<PipelineRow>!
  var provider7Rows: [PipelineRow]!
  var provider7: ProviderNode<PipelineRow>!
  var shadow7: ShadowTree<PipelineRow>!
  var token9: NodeObservation!
  array1 = ArrayNode<PipelineRow>([100, 101, 102, 103, 104])
  single2 = SingleNode<PipelineRow>(200)
  provider3Rows = [300, 301, 302]
  provider3 = ProviderNode<PipelineRow>(count: 3) { provider3Rows[$0] }
  branch4 = BranchNode<PipelineRow>(value: 401, [.leaf(400), .node(single2), .node(array1), .node(single2)] as [TreeChild<PipelineRow>])
  join5 = JoinNode<PipelineRow>([provider3, single2, provider3])
  filter6 = FilterNode<PipelineRow>(join5) { ($0.id + $0.version) % 2 == 0 }
  shadow1 = ShadowTree(of: single2, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow2 = ShadowTree(of: filter6, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow3 = ShadowTree(of: array1, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow4 = ShadowTree(of: join5, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow5 = ShadowTree(of: provider3, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow6 = ShadowTree(of: branch4, checker: NodeChecker<PipelineRow>(id: \.id))
  array1.insert(1300, at: 1)
  array1.append(contentsOf: [1400])
  array1.replaceSubrange(2..<3, with: [1500])
  array1.replaceAll(with: [PipelineRow(102, version: 1), 1600, 1300, 103, 100], by: \.id, areEqual: ==)
  array1.remove(at: 1)
  array1.removeSubrange(1..<2)
  array1.removeAll { ($0.id + $0.version) % 2 == 1 }
  array1.update(at: 0) { $0.version += 1 }
  array1[0] = 2100
  array1.move(from: 0, to: 0)
  array1.swapAt(0, 0)
  single2.content = PipelineRow(200, version: 1)
  single2.content = nil
  provider3Rows = [2600, 301, 302]
  provider3.announce(Delta(removals: [0..<1], insertions: [0..<1])) {
    provider3Rows = [300, 301, 302]
    provider3.announce(Delta(removals: [0..<1], insertions: [0..<1]))
  }
  provider3Rows = [2600, PipelineRow(301, version: 1), 302]
  provider3.announce(.update(1..<2)) {
    provider3Rows = [2600, 301, 302]
    provider3.announce(.update(1..<2))
  }
  provider3Rows = [2600, PipelineRow(301, version: 1), PipelineRow(302, version: 1), 2800]
  provider3.refresh(2..<3, count: 2) {
    provider3Rows = [2600, PipelineRow(301, version: 1), 302]
    provider3.refresh(2..<4, count: 1)
  }
  provider3Rows = [2900]
  provider3.announceReplacement(count: 1)
  branch4.insert(.leaf(3000), at: 1)
  branch4.insert(.node(filter6), at: 1)
  branch4.remove(at: 1)
  branch4.move(from: 1, to: 3)
  branch4[1] = .leaf(3400)
  branch4[0] = .node(filter6)
  branch4.value = PipelineRow(401, version: 1)
  branch4.value = nil
  branch4.header = 3800
  join5.insertMember(single2, at: 0)
  join5.removeMember(at: 1)
  join5.replaceMember(at: 2, with: single2)
  join5.moveMember(from: 1, to: 0)
  filter6.setPredicate { ($0.id + $0.version) % 2 == 1 }
  filter6.setPredicate(hint: .stricter) { (($0.id + $0.version) % 2 == 1) && (($0.id + $0.version) % 2 == 1) }
  filter6.setPredicate(hint: .looser) { ((($0.id + $0.version) % 2 == 1) && (($0.id + $0.version) % 2 == 1)) || (($0.id + $0.version) % 2 == 1) }
  filter6.refresh(0..<0)
  single2.insert(4700, at: [0])
  single2.remove(at: [0])
  filter6.insert(5100, at: [0])
  join5.remove(at: [1])
  _ = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6])
  filter6.performUpdates { () -> Void in
    provider7Rows = [6300, 6301]
    provider7 = ProviderNode<PipelineRow>(count: 2) { provider7Rows[$0] }
    shadow7 = ShadowTree(of: provider7, checker: NodeChecker<PipelineRow>(id: \.id))
    provider7Rows = [6300, PipelineRow(6301, version: 1)]
    provider7.announce(.update(1..<2)) {
      provider7Rows = [6300, 6301]
      provider7.announce(.update(1..<2))
    }
    array1.append(contentsOf: [6600, 6601])
    _ = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, provider7])
    try? filter6.performUpdates { () -> Void in
      array1.remove(at: 1)
      throw CancellationError()
    }
  }
  let root8 = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, provider7])
  let log8 = UndoLog(of: root8)
  root8.performUpdates { () -> Void in
    array1.swapAt(0, 2)
    join5.moveMember(from: 0, to: 1)
  }
  log8.undo()
  log8.redo()
  withExtendedLifetime(log8) {}
  var token9Calls = 0
  token9 = single2.observe { _ in
    token9Calls += 1
  }
  array1.insert(7600, at: 0)
  array1.insert(7700, at: 1)
  array1.insert(7800, at: 2)
  array1.insert(7900, at: 3)
  array1.insert(8000, at: 4)
  array1.insert(8100, at: 5)
  shadow1 = nil
  shadow4 = nil
  join5 = nil
  try NodeChecker<PipelineRow>(id: \.id).check(array1)
  try NodeChecker<PipelineRow>(id: \.id).check(single2)
  try NodeChecker<PipelineRow>(id: \.id).check(provider3)
  try NodeChecker<PipelineRow>(id: \.id).check(branch4)
  try NodeChecker<PipelineRow>(id: \.id).check(filter6)
  try NodeChecker<PipelineRow>(id: \.id).check(provider7)
  try shadow2.check()
  try shadow3.check()
  try shadow5.check()
  try shadow6.check()
  try shadow7.check()
  withExtendedLifetime((array1, single2, provider3, branch4, join5, filter6, shadow1, shadow2, shadow3, shadow4, shadow5, shadow6, provider7, shadow7, token9)) {}
}
