import Assemblage
import AssemblageFuzzing
import AssemblageTesting

/// What a mirror gets wrong.
enum MirrorFault: CaseIterable { case insertionOffByOne, forgottenUpdate, replacement, elementOffByOne, retained }

/// The first children of a source, the last of them first: a user's node, right or deliberately wrong.
final class MirrorNode: TreeNode {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  private let source: any TreeNode<PipelineRow>
  private let fault: MirrorFault?
  private var sourceCount: Int
  private var retained: MirrorNode?

  /// How many children of the source are shown.
  var reach: Int {
    willSet { author.prepareForChange() }
    didSet {
      let (former, present) = (min(oldValue, sourceCount), min(reach, sourceCount))
      guard former != present else { return }
      // The last ones of the source come first.
      let delta =
        former < present ? Delta.insertion(0..<present - former) : .removal(0..<former - present)
      author.publish(ChangeSet(delta))
    }
  }

  init(_ source: any TreeNode<PipelineRow>, reach: Int, fault: MirrorFault? = nil) {
    self.source = source
    self.reach = reach
    self.fault = fault
    sourceCount = source.count
    author.attach(to: self) { $0.translate($1[0].change) }
    author.link(source, slot: 0)
    if fault == .retained, sourceCount > 2 { retained = self }
  }

  var count: Int { min(reach, sourceCount) }

  private func mirrored(_ position: Int) -> Int { count - 1 - position }

  func element(at position: Int) -> PipelineRow? {
    guard position >= 0, position < count else { return nil }
    let isOff = fault == .elementOffByOne && count > 3 && position == 1
    return source.element(at: mirrored(isOff ? 2 : position))
  }

  func child(at position: Int) -> (any TreeNode<PipelineRow>)? {
    position >= 0 && position < count ? source.child(at: mirrored(position)) : nil
  }

  private func translate(_ change: ChangeSet) -> ChangeSet {
    let (former, oldCount) = (sourceCount, count)
    sourceCount += change.delta.countChange
    let (present, newCount) = (sourceCount, count)
    precondition(former + change.delta.countChange == present)
    // Which children are shown, and where they stood: the delta, child by child.
    let map = Delta.PositionMap(change.delta)
    var origins: [Int?] = []
    var updates: [Range<Int>] = []
    var survivors: Set<Int> = []
    for position in 0..<newCount {
      let place = newCount - 1 - position
      let origin = map.position(before: place).flatMap { $0 < oldCount ? oldCount - 1 - $0 : nil }
      origins.append(origin)
      if let origin { survivors.insert(origin) }
      if origin != nil, change.delta.updates.contains(position: place) { updates.append(position..<position + 1) }
    }
    var delta = Delta(
      removals: (0..<oldCount).filter { !survivors.contains($0) }.map { $0..<$0 + 1 },
      insertions: origins.indices.filter { origins[$0] == nil }.map { $0..<$0 + 1 },
      updates: updates,
      moves: origins.indices.compactMap { position in
        origins[position].map { Delta.Move(from: $0..<$0 + 1, to: position..<position + 1) }
      })
    switch fault {
    case .insertionOffByOne:
      if delta.removals.isEmpty, delta.moves.isEmpty, delta.updates.isEmpty, let first = delta.insertions.first,
        first.lowerBound > 0
      {
        delta = .insertion(first.lowerBound - 1..<first.upperBound - 1)
      }
    case .forgottenUpdate: if delta.updates.count == 1, !delta.movesPositions { delta = Delta() }
    case .replacement:
      if !delta.movesPositions {
        delta = Delta(removals: Array(delta.updates), insertions: Array(delta.updates))
      }
    case nil, .elementOffByOne, .retained: break
    }
    // What happened inside, and what crosses between children, goes along.
    var change = change
    NodeAuthor.translate(
      &change, to: delta, before: { $0 < oldCount ? oldCount - 1 - $0 : nil },
      after: { $0 < newCount ? newCount - 1 - $0 : nil })
    return change
  }
}

/// The model of a mirror with some fault, or none.
struct MirrorModel<Flaw: MirrorFlaw>: NodeModel {
  typealias Node = MirrorNode

  static var kind: String { "mirror" }
  // What is behind the reach.
  let source: NodeNumber
  var reach: Int

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let reach = 2 + draw.number(below: 8)
    return NodeDraft(
      MirrorModel(source: source, reach: reach), MirrorNode(draw.node(source), reach: reach, fault: Flaw.fault),
      code: "MirrorNode(\(draw.name(source)), reach: \(reach)\(Flaw.fault.map { ", fault: .\($0)" } ?? ""))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    NaiveTree(value: nil, children: contents(source).children.prefix(reach).reversed())
  }

  static var edits: [NodeEdit<Self>] {
    let setReach = NodeEdit<Self>("setReach") { model, draw in
      let reach = 2 + draw.number(below: 8)
      model.reach = reach
      return NodeStep("\(draw.name).reach = \(reach)") { $0.reach = reach }
    }
    return [setReach]
  }
}

/// A fault as a type.
protocol MirrorFlaw { static var fault: MirrorFault? { get } }
enum NoFault: MirrorFlaw { static let fault: MirrorFault? = nil }
enum InsertionOffByOne: MirrorFlaw { static let fault: MirrorFault? = .insertionOffByOne }
enum ForgottenUpdate: MirrorFlaw { static let fault: MirrorFault? = .forgottenUpdate }
enum Replacement: MirrorFlaw { static let fault: MirrorFault? = .replacement }
enum ElementOffByOne: MirrorFlaw { static let fault: MirrorFault? = .elementOffByOne }
enum Retained: MirrorFlaw { static let fault: MirrorFault? = .retained }

extension MirrorFault {
  /// The law that the fault breaks; nil where a node shows or keeps what it should not.
  var law: NodeLaw? {
    switch self {
    case .insertionOffByOne, .forgottenUpdate: .replayAgrees
    case .replacement: .changesAreMinimal
    case .elementOffByOne, .retained: nil
    }
  }

  var kind: NodeKind {
    switch self {
    case .insertionOffByOne: NodeKind(MirrorModel<InsertionOffByOne>.self)
    case .forgottenUpdate: NodeKind(MirrorModel<ForgottenUpdate>.self)
    case .replacement: NodeKind(MirrorModel<Replacement>.self)
    case .elementOffByOne: NodeKind(MirrorModel<ElementOffByOne>.self)
    case .retained: NodeKind(MirrorModel<Retained>.self)
    }
  }
}
