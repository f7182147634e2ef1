@_spi(NodeAuthors) import Assemblage
import AssemblageFuzzing
import AssemblageTesting

/// A fault of a mirror.
enum MirrorFault: CaseIterable { case insertionOffByOne, forgottenUpdate, replacement, elementOffByOne, retained }

/// A user's node that shows the children of a source, in reverse order or in the source's. It is right, or has a
/// deliberate fault.
final class MirrorNode: TreeNode {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  private let source: any TreeNode<PipelineRow>
  private let fault: MirrorFault?
  private let counted: NodeBox<Int>
  var count: Int { counted.value }
  private var retained: MirrorNode?

  /// Whether the last child of the source comes first.
  var isReversed = true {
    willSet { author.prepareForChange() }
    didSet {
      guard isReversed != oldValue else { return }
      let moves = (0..<count).map { Delta.Move(from: $0..<$0 + 1, to: count - 1 - $0..<count - $0) }
      author.publish(ChangeSet(Delta(moves: moves)))
    }
  }

  init(_ source: any TreeNode<PipelineRow>, fault: MirrorFault? = nil) {
    self.source = source
    self.fault = fault
    counted = author.box(source.count)
    author.attach(to: self) { $0.translate($1[0].change) }
    author.link(source, slot: 0)
    if fault == .retained, count > 2 { retained = self }
  }

  /// Returns the source position of a view position, or the view position of a source position.
  private func mirrored(_ position: Int, of count: Int) -> Int { isReversed ? count - 1 - position : position }

  func element(at position: Int) -> PipelineRow? {
    guard position >= 0, position < count else { return nil }
    let isOff = fault == .elementOffByOne && count > 3 && position == 1
    return source.element(at: mirrored(isOff ? 2 : position, of: count))
  }

  func child(at position: Int) -> (any TreeNode<PipelineRow>)? {
    position >= 0 && position < count ? source.child(at: mirrored(position, of: count)) : nil
  }

  private func translate(_ change: ChangeSet) -> ChangeSet {
    let oldCount = count
    counted.value += change.delta.countChange
    let newCount = count
    // The positions of the children before the change, child by child.
    let map = Delta.PositionMap(change.delta)
    let origins = (0..<newCount).map { position in
      map.position(before: mirrored(position, of: newCount)).map { mirrored($0, of: oldCount) }
    }
    let survivors = Set(origins.compactMap { $0 })
    var delta = Delta(
      removals: (0..<oldCount).filter { !survivors.contains($0) }.map { $0..<$0 + 1 },
      insertions: origins.indices.filter { origins[$0] == nil }.map { $0..<$0 + 1 },
      updates: origins.indices.filter {
        origins[$0] != nil && change.delta.updates.contains(position: mirrored($0, of: newCount))
      }.map { $0..<$0 + 1 },
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
    // The changes inside of children, and the transfers between children, are translated along with the delta.
    var change = change
    let isReversed = isReversed
    NodeAuthor.translate(
      &change, to: delta, before: { isReversed ? oldCount - 1 - $0 : $0 },
      after: { isReversed ? newCount - 1 - $0 : $0 })
    return change
  }
}

/// The model of a mirror, with a fault or without.
struct MirrorModel<Flaw: MirrorFlaw>: NodeModel {
  typealias Node = MirrorNode

  static var kind: String { "mirror" }
  let source: NodeNumber
  var isReversed = true

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    return NodeDraft(
      MirrorModel(source: source), MirrorNode(draw.node(source), fault: Flaw.fault),
      code: "MirrorNode(\(draw.name(source))\(Flaw.fault.map { ", fault: .\($0)" } ?? ""))")
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let children = contents(source).children
    return NaiveTree(value: nil, children: isReversed ? children.reversed() : children)
  }

  static var edits: [NodeEdit<Self>] {
    let setReversed = NodeEdit<Self>("setReversed") { model, draw in
      let isReversed = draw.chance(1, in: 2)
      model.isReversed = isReversed
      return NodeStep("\(draw.name).isReversed = \(isReversed)") { $0.isReversed = isReversed }
    }
    return [setReversed]
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
  /// The laws that the fault may break first; nil where the node shows a wrong row, or is kept alive.
  var laws: [NodeLaw?] {
    switch self {
    // Beside the other edits of a transaction, the wrongly reported row may be one that stayed.
    case .insertionOffByOne: [.replayAgrees, .changesAreMinimal]
    case .forgottenUpdate: [.replayAgrees]
    case .replacement: [.changesAreMinimal]
    case .elementOffByOne, .retained: [nil]
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
