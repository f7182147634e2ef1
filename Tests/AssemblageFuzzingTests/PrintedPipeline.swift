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
  var forest7: ForestNode<PipelineRow>!
  var shadow1: ShadowTree<PipelineRow>!
  var shadow2: ShadowTree<PipelineRow>!
  var shadow3: ShadowTree<PipelineRow>!
  var shadow4: ShadowTree<PipelineRow>!
  var shadow5: ShadowTree<PipelineRow>!
  var shadow6: ShadowTree<PipelineRow>!
  var provider8Rows: [PipelineRow]!
  var provider8: ProviderNode<PipelineRow>!
  var shadow7: ShadowTree<PipelineRow>!
  var token9: NodeObservation!
  array1 = ArrayNode<PipelineRow>([100, 101, 102, 103, 104])
  single2 = SingleNode<PipelineRow>(200)
  provider3Rows = [300, 301, 302]
  provider3 = ProviderNode<PipelineRow>(count: 3) { provider3Rows[$0] }
  branch4 = BranchNode<PipelineRow>(value: 401, [.leaf(400), .node(single2), .node(array1), .node(single2)] as [TreeChild<PipelineRow>])
  join5 = JoinNode<PipelineRow>([provider3, single2, provider3])
  filter6 = FilterNode<PipelineRow>(join5) { ($0.id + $0.version) % 2 == 0 }
  forest7 = try! ForestNode<PipelineRow>(TreeSnapshot(children: [TreeSnapshot(value: 700, children: [TreeSnapshot(leaf: 701), TreeSnapshot(value: 702, children: [TreeSnapshot(leaf: 703)])]), TreeSnapshot(leaf: 704), TreeSnapshot(leaf: 705)]))
  shadow1 = ShadowTree(of: single2, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow2 = ShadowTree(of: filter6, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow3 = ShadowTree(of: array1, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow4 = ShadowTree(of: forest7, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow5 = ShadowTree(of: provider3, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow6 = ShadowTree(of: branch4, checker: NodeChecker<PipelineRow>(id: \.id))
  array1.insert(1400, at: 1)
  array1.append(contentsOf: [1500])
  array1.replaceSubrange(2..<3, with: [1600])
  array1.replaceAll(with: [PipelineRow(102, version: 1), 1700, 1400, 103, 100], by: \.id, areEqual: ==)
  array1.remove(at: 1)
  array1.removeSubrange(1..<2)
  array1.removeAll { ($0.id + $0.version) % 2 == 1 }
  array1.update(at: 0) { $0.version += 1 }
  array1[0] = 2200
  array1.move(from: 0, to: 0)
  array1.swapAt(0, 0)
  single2.content = PipelineRow(200, version: 1)
  single2.content = nil
  provider3Rows = [2700, 301, 302]
  provider3.announce(Delta(removals: [0..<1], insertions: [0..<1])) {
    provider3Rows = [300, 301, 302]
    provider3.announce(Delta(removals: [0..<1], insertions: [0..<1]))
  }
  provider3Rows = [2700, PipelineRow(301, version: 1), 302]
  provider3.announce(.update(1..<2)) {
    provider3Rows = [2700, 301, 302]
    provider3.announce(.update(1..<2))
  }
  provider3Rows = [2700, PipelineRow(301, version: 1), PipelineRow(302, version: 1), 2900]
  provider3.refresh(2..<3, count: 2) {
    provider3Rows = [2700, PipelineRow(301, version: 1), 302]
    provider3.refresh(2..<4, count: 1)
  }
  provider3Rows = [3000]
  provider3.announceReplacement(count: 1)
  branch4.insert(.leaf(3100), at: 1)
  branch4.insert(.node(filter6), at: 1)
  branch4.remove(at: 1)
  branch4.move(from: 1, to: 3)
  branch4[1] = .leaf(3500)
  branch4[0] = .node(filter6)
  branch4.value = PipelineRow(401, version: 1)
  branch4.value = nil
  branch4.header = 3900
  join5.insertMember(single2, at: 0)
  join5.removeMember(at: 1)
  join5.replaceMember(at: 2, with: single2)
  join5.moveMember(from: 1, to: 0)
  filter6.setPredicate { ($0.id + $0.version) % 2 == 1 }
  filter6.setPredicate(hint: .stricter) { (($0.id + $0.version) % 2 == 1) && (($0.id + $0.version) % 2 == 1) }
  filter6.setPredicate(hint: .looser) { ((($0.id + $0.version) % 2 == 1) && (($0.id + $0.version) % 2 == 1)) || (($0.id + $0.version) % 2 == 1) }
  filter6.refresh(0..<0)
  forest7.insert(4800, at: [0, 0])
  forest7.insert(4900, at: [0, 1, 0])
  forest7.child(at: [0])!.insert(try! ForestNode<PipelineRow>(TreeSnapshot(value: 5000, children: [TreeSnapshot(leaf: 5001)])), at: 2)
  forest7.child(at: [0])!.insert(contentsOf: [5100], at: 3)
  forest7.remove(at: [0, 0])
  forest7.child(at: [0])!.removeSubrange(1..<1)
  forest7.move(from: [0, 0], to: [0, 0, 1])
  forest7.replace(at: [0, 0], with: PipelineRow(5000, version: 1))
  forest7.child(at: [0])!.value = PipelineRow(700, version: 1)
  forest7.update { ($0.id + $0.version) % 2 == 1 }
  forest7.child(at: [0, 0, 1])!.makeBranch(at: 0)
  forest7.child(at: [0, 0, 1])!.makeLeaf(at: 0)
  forest7.performUpdates {
    let taken = forest7.remove(at: [0, 0]).node as! ForestNode<PipelineRow>
    taken.append(6000)
    forest7.child(at: [])!.insert(taken, at: 1)
  }
  single2.insert(6100, at: [0])
  single2.remove(at: [0])
  filter6.insert(6500, at: [0])
  forest7.insert(7300, at: [1])
  forest7.remove(at: [1])
  forest7.replace(at: [1], with: PipelineRow(5000, version: 2))
  forest7.move(from: [1], to: [0])
  _ = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, forest7])
  filter6.performUpdates { () -> Void in
    provider8Rows = [7700, 7701]
    provider8 = ProviderNode<PipelineRow>(count: 2) { provider8Rows[$0] }
    shadow7 = ShadowTree(of: join5, checker: NodeChecker<PipelineRow>(id: \.id))
    provider8Rows = [7700, PipelineRow(7701, version: 1)]
    provider8.announce(.update(1..<2)) {
      provider8Rows = [7700, 7701]
      provider8.announce(.update(1..<2))
    }
    array1.append(contentsOf: [8000, 8001])
    _ = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, forest7, provider8])
    try? filter6.performUpdates { () -> Void in
      array1.remove(at: 1)
      throw CancellationError()
    }
  }
  let root8 = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, forest7, provider8])
  let log8 = UndoLog(of: root8)
  root8.performUpdates { () -> Void in
    array1.swapAt(0, 2)
    join5.moveMember(from: 0, to: 1)
  }
  log8.undo()
  log8.redo()
  withExtendedLifetime(log8) {}
  var token9Calls = 0
  token9 = provider8.observe { _ in
    token9Calls += 1
  }
  array1.insert(9000, at: 0)
  array1.insert(9100, at: 1)
  array1.insert(9200, at: 2)
  array1.insert(9300, at: 3)
  array1.insert(9400, at: 4)
  array1.insert(9500, at: 5)
  shadow6 = nil
  shadow4 = nil
  forest7 = nil
  try NodeChecker<PipelineRow>(id: \.id).check(array1)
  try NodeChecker<PipelineRow>(id: \.id).check(single2)
  try NodeChecker<PipelineRow>(id: \.id).check(provider3)
  try NodeChecker<PipelineRow>(id: \.id).check(branch4)
  try NodeChecker<PipelineRow>(id: \.id).check(join5)
  try NodeChecker<PipelineRow>(id: \.id).check(filter6)
  try NodeChecker<PipelineRow>(id: \.id).check(provider8)
  try shadow1.check()
  try shadow2.check()
  try shadow3.check()
  try shadow5.check()
  try shadow7.check()
  withExtendedLifetime((array1, single2, provider3, branch4, join5, filter6, forest7, shadow1, shadow2, shadow3, shadow4, shadow5, shadow6, provider8, shadow7, token9)) {}
}
