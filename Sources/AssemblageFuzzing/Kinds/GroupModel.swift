import Assemblage
import AssemblageTesting

/// The model of a `GroupNode`: its source, its key, and the order of its sections.
struct GroupModel: BackgroundModel {
  typealias Node = GroupNode<PipelineRow, Int>

  /// A key that can be printed as Swift code.
  enum Key: Int, CaseIterable {
    case version, remainder, some

    var code: String {
      switch self {
      case .version: "{ $0.version }"
      case .remainder: "{ $0.id % 3 }"
      case .some: "{ ($0.id + $0.version) % 4 == 0 ? nil : $0.id % 2 }"
      }
    }

    var of: @Sendable (PipelineRow) -> Int? {
      switch self {
      case .version: { $0.version }
      case .remainder: { $0.id % 3 }
      case .some: { ($0.id + $0.version) % 4 == 0 ? nil : $0.id % 2 }
      }
    }
  }

  /// An order of sections.
  enum Order: Int, CaseIterable {
    case firstAppearance, ascending, descending, oddLast

    var code: String {
      switch self {
      case .firstAppearance: "nil"
      case .ascending: "{ $0 < $1 }"
      case .descending: "{ $0 > $1 }"
      case .oddLast: "{ $0 % 2 < $1 % 2 }"
      }
    }

    var precedes: ((Int, Int) -> Bool)? {
      switch self {
      case .firstAppearance: nil
      case .ascending: { $0 < $1 }
      case .descending: { $0 > $1 }
      case .oddLast: { $0 % 2 < $1 % 2 }
      }
    }
  }

  static let kind = "group"
  static let typeCode = "GroupNode<PipelineRow, Int>"

  var source: NodeNumber
  var key: Key
  var order: Order
  /// The upper bound of the headers' ids; nil where there are no headers.
  var headers: Int?
  var latest = LatestSetting<Key>()

  var shownSetting: Key {
    get { key }
    set { key = newValue }
  }

  static func make(_ draw: inout PipelineDraw) -> NodeDraft<Self>? {
    make(&draw, hasHeaders: draw.chance(1, in: 2))
  }

  static func make(_ draw: inout PipelineDraw, hasHeaders: Bool) -> NodeDraft<Self>? {
    guard let source = draw.source() else { return nil }
    let key = Key.allCases[draw.number(below: Key.allCases.count)]
    let order = Order.allCases[draw.number(below: Order.allCases.count)]
    // The ids of headers differ from the ids in other groups.
    let headers = hasHeaders ? -1_000 * (draw.number.serial + 1) : nil
    return NodeDraft(
      GroupModel(source: source, key: key, order: order, headers: headers),
      GroupNode(
        draw.node(source), sectionsBy: order.precedes,
        header: headers.map { headers in { PipelineRow(headers - $0) } }, by: key.of),
      code: """
        \(typeCode)(\(draw.name(source)), sectionsBy: \(order.code), \
        header: \(headers.map { "{ PipelineRow(\($0) - $0) }" } ?? "nil"), by: \(key.code))
        """)
  }

  var sources: [NodeNumber] { [source] }

  func contents(_ contents: (NodeNumber) -> NaiveTree<PipelineRow>) -> NaiveTree<PipelineRow> {
    let tree = contents(source)
    var keys: [Int?] = []
    var sections: [Int?: [NaiveTree<PipelineRow>]] = [:]
    for child in tree.children {
      let key = child.value.flatMap(key.of)
      if sections[key] == nil { keys.append(key) }
      sections[key, default: []].append(child)
    }
    // The sort is stable. Where the order does not decide, the first rows of the sections decide.
    var order = keys.compactMap(\.self)
    if let precedes = self.order.precedes { order.sort(by: precedes) }
    var children = order.map { key in
      NaiveTree(value: headers.map { PipelineRow($0 - key) }, children: sections[key]!)
    }
    if let rest = sections[nil] { children.append(NaiveTree(value: nil, children: rest)) }
    return NaiveTree(value: tree.value, children: children)
  }

  static var backgroundEdits: [NodeBackgroundEdit<Self>] {
    [
      NodeBackgroundEdit("setKey") { _, draw in
        let key = Key.allCases[draw.number(below: Key.allCases.count)]
        let inSlices = draw.chance(1, in: 2)
        let way = inSlices ? ".inSlices(of: .milliseconds(1))" : ".concurrently"
        let code = "setKey(inBackground: \(way)) \(key.code)"
        return NodeWork(setting: key, code: code) { node in
          if inSlices {
            try await node.setKey(inBackground: .inSlices(of: .milliseconds(1)), by: key.of)
          } else {
            try await node.setKey(inBackground: .concurrently, by: key.of)
          }
        }
      }
    ]
  }

  static var edits: [NodeEdit<Self>] {
    [
      NodeEdit("setSectionComparator", reversal: .onRollback) { model, draw in
        let order = Order.allCases[draw.number(below: Order.allCases.count)]
        model.order = order
        return NodeStep("\(draw.name).setSectionComparator(\(order.code))") { $0.setSectionComparator(order.precedes) }
      },
      NodeEdit("setKey", reversal: .onRollback) { model, draw in
        let key = Key.allCases[draw.number(below: Key.allCases.count)]
        model.show(key)
        return NodeStep("\(draw.name).setKey \(key.code)") { $0.setKey(key.of) }
      },
      NodeEdit("refresh", reversal: .onRollback) { model, draw in
        // A refresh sets the last shown key again, and not a key whose work has not ended.
        model.show(model.key)
        return NodeStep("\(draw.name).refresh()") { $0.refresh() }
      },
    ]
  }
}
