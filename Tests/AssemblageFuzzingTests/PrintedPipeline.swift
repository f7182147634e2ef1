// swift-format-ignore-file
// Printed by a `PipelineFuzzer`; see `PrintedPipelineTests`.
import Assemblage
import AssemblageFuzzing
import AssemblageTesting
import AssemblageWidgets
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
  var user7: ScreenUser!
  var coordinator7: ListCoordinator<PipelineRow>!
  var widget7: WidgetModel<PipelineRow>!
  var user8: ScreenUser!
  var coordinator8: SectionedListCoordinator<PipelineRow>!
  var widget8: WidgetModel<PipelineRow>!
  var user9: ScreenUser!
  var coordinator9: OutlineCoordinator<PipelineRow>!
  var widget9: ItemWidget!
  var provider8Rows: [PipelineRow]!
  var provider8: ProviderNode<PipelineRow>!
  var shadow10: ShadowTree<PipelineRow>!
  var token12: NodeObservation!
  array1 = ArrayNode<PipelineRow>([100, 101, 102, 103, 104])
  single2 = SingleNode<PipelineRow>(200)
  provider3Rows = [300, 301, 302]
  provider3 = ProviderNode<PipelineRow>(count: 3) { provider3Rows[$0] }
  branch4 = BranchNode<PipelineRow>(value: 401, [.leaf(400), .node(single2), .node(array1), .node(single2)] as [TreeChild<PipelineRow>])
  join5 = JoinNode<PipelineRow>([provider3, single2, provider3])
  filter6 = FilterNode<PipelineRow>(join5) { ($0.id + $0.version) % 2 == 0 }
  forest7 = try! ForestNode<PipelineRow>(TreeSnapshot(children: [TreeSnapshot(leaf: 700), TreeSnapshot(leaf: 701)]))
  shadow1 = ShadowTree(of: single2, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow2 = ShadowTree(of: filter6, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow3 = ShadowTree(of: array1, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow4 = ShadowTree(of: forest7, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow5 = ShadowTree(of: provider3, checker: NodeChecker<PipelineRow>(id: \.id))
  shadow6 = ShadowTree(of: branch4, checker: NodeChecker<PipelineRow>(id: \.id))
  user7 = ScreenUser(ScreenManners(rawValue: 7), seed: 3)
  coordinator7 = ListCoordinator(single2)
  widget7 = WidgetModel<PipelineRow>(.list)
  widget7.follow(coordinator7)
  user7.use(widget7, of: coordinator7)
  var user8Calls = 0
  user8 = ScreenUser(ScreenManners(rawValue: 7), seed: 3) {
    user8Calls += 1
    if user8Calls == 1 {
      array1.swapAt(0, 1)
    }
  }
  coordinator8 = SectionedListCoordinator(filter6)
  widget8 = WidgetModel<PipelineRow>(.list)
  widget8.follow(coordinator8)
  user8.use(widget8, of: coordinator8)
  user9 = ScreenUser(ScreenManners(rawValue: 7), seed: 3)
  coordinator9 = OutlineCoordinator(filter6)
  widget9 = ItemWidget()
  widget9.follow(coordinator9)
  user9.use(widget9, of: coordinator9)
  user7.setSuspending(true)
  coordinator8.reload()
  coordinator9.keepSelection(.multiple, id: \.id)
  widget7.scrollPosition = WidgetScrollPosition(path: [0, 0], offset: 1)
  coordinator8.deselectAll()
  coordinator9.select(at: [0], .adding)
  coordinator7.select(at: [0], .adding)
  coordinator8.select(at: [2], .adding)
  widget9.invalidate()
  coordinator7.keepsPosition = .unlessAtTop
  coordinator8.show(coordinator8.node)
  _ = widget9.paths
  _ = widget7.paths
  user8.setSuspending(true)
  coordinator9.reload()
  coordinator7.keepSelection(.multiple, id: \.id)
  array1.insert(3400, at: 1)
  array1.append(contentsOf: [3500])
  array1.replaceSubrange(2..<3, with: [3600])
  array1.replaceAll(with: [PipelineRow(102, version: 1), 3700, 3400, 103, 101], id: \.id, areEqual: ==)
  array1.remove(at: 1)
  array1.removeSubrange(1..<2)
  array1.removeAll { ($0.id + $0.version) % 2 == 1 }
  single2.content = PipelineRow(200, version: 1)
  single2.content = nil
  provider3Rows = [4700, 301, 302]
  provider3.announce(Delta(removals: [0..<1], insertions: [0..<1])) {
    provider3Rows = [300, 301, 302]
    provider3.announce(Delta(removals: [0..<1], insertions: [0..<1]))
  }
  provider3Rows = [4700, PipelineRow(301, version: 1), 302]
  provider3.announce(.update(1..<2)) {
    provider3Rows = [4700, 301, 302]
    provider3.announce(.update(1..<2))
  }
  provider3Rows = [4700, PipelineRow(301, version: 1), PipelineRow(302, version: 1), 4900]
  provider3.refresh(2..<3, count: 2) {
    provider3Rows = [4700, PipelineRow(301, version: 1), 302]
    provider3.refresh(2..<4, count: 1)
  }
  provider3Rows = [5000]
  provider3.reset(count: 1)
  branch4.insert(.leaf(5100), at: 1)
  branch4.insert(.node(filter6), at: 1)
  branch4.remove(at: 1)
  branch4.move(from: 1, to: 3)
  branch4[1] = .leaf(5500)
  branch4[0] = .node(filter6)
  branch4.value = PipelineRow(401, version: 1)
  branch4.value = nil
  branch4.header = 5900
  join5.insertMember(single2, at: 0)
  join5.removeMember(at: 1)
  join5.replaceMember(at: 2, with: single2)
  join5.moveMember(from: 1, to: 0)
  filter6.setPredicate { ($0.id + $0.version) % 2 == 1 }
  filter6.setPredicate(hint: .stricter) { (($0.id + $0.version) % 2 == 1) && (($0.id + $0.version) % 2 == 1) }
  filter6.setPredicate(hint: .looser) { ((($0.id + $0.version) % 2 == 1) && (($0.id + $0.version) % 2 == 1)) || (($0.id + $0.version) % 2 == 1) }
  filter6.refresh(0..<0)
  forest7.insert(6800, at: [0])
  forest7.insert(try! ForestNode<PipelineRow>(TreeSnapshot(value: 6900, children: [])), at: [1])
  forest7.remove(at: [2])
  forest7.move(from: [0], to: [0, 0])
  forest7.replace(at: [0, 0], with: PipelineRow(6800, version: 1))
  forest7.insert(7300, at: [1, 0])
  forest7.child(at: [0])!.insert(contentsOf: [7400], at: 0)
  forest7.child(at: [0])!.removeSubrange(1..<2)
  forest7.child(at: [0])!.value = PipelineRow(6900, version: 1)
  forest7.update { ($0.id + $0.version) % 2 == 1 }
  forest7.child(at: [1])!.turnIntoBranch(at: 0)
  forest7.child(at: [1])!.turnIntoLeaf(at: 0)
  forest7.performUpdates {
    let taken = forest7.remove(at: [1]).node as! ForestNode<PipelineRow>
    taken.append(8000)
    forest7.child(at: [])!.insert(taken, at: 1)
  }
  single2.insert(8100, at: [0])
  single2.remove(at: [0])
  filter6.insert(8500, at: [0])
  forest7.insert(9300, at: [0])
  forest7.remove(at: [0])
  forest7.replace(at: [0], with: PipelineRow(6900, version: 2))
  forest7.move(from: [0], to: [0])
  _ = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, forest7])
  filter6.performUpdates { () -> Void in
    provider8Rows = [9700, 9701]
    provider8 = ProviderNode<PipelineRow>(count: 2) { provider8Rows[$0] }
    shadow10 = ShadowTree(of: join5, checker: NodeChecker<PipelineRow>(id: \.id))
    provider8Rows = [9700, PipelineRow(9701, version: 1)]
    provider8.announce(.update(1..<2)) {
      provider8Rows = [9700, 9701]
      provider8.announce(.update(1..<2))
    }
    array1.append(contentsOf: [10000, 10001])
    _ = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, forest7, provider8])
    try? filter6.performUpdates { () -> Void in
      array1.remove(at: 1)
      throw CancellationError()
    }
  }
  let root11 = BranchNode<PipelineRow>([array1, single2, provider3, branch4, join5, filter6, forest7, provider8])
  let log11 = UndoLog(of: root11)
  root11.performUpdates { () -> Void in
    array1.swapAt(0, 0)
    join5.moveMember(from: 0, to: 1)
  }
  log11.undo()
  log11.redo()
  withExtendedLifetime(log11) {}
  var token12Calls = 0
  token12 = single2.observe { _ in
    token12Calls += 1
  }
  array1.insert(11000, at: 0)
  array1.insert(11100, at: 1)
  array1.insert(11200, at: 2)
  array1.insert(11300, at: 3)
  array1.insert(11400, at: 4)
  array1.insert(11500, at: 5)
  widget8 = nil
  coordinator8 = nil
  user8 = nil
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
  try shadow6.check()
  try shadow10.check()
  try user7.check()
  try widget7.check()
  try user9.check()
  try widget9.check()
  withExtendedLifetime((array1, single2, provider3, branch4, join5, filter6, forest7, shadow1, shadow2, shadow3, shadow4, shadow5, shadow6, user7, coordinator7, widget7, user8, coordinator8, widget8, user9, coordinator9, widget9, provider8, shadow10, token12)) {}
}
