import AssemblageTesting

/// Records the Swift code of a run, while the run makes its operations.
///
/// The operations of an observer are known only when the observer is called. Its block gets its lines then. The block's
/// position in the code is where the observer was attached.
final class PipelineCode {
  final class Block {
    var lines: [Line] = []
  }

  enum Line {
    case text(String)
    case declaration(Declaration)
    case block(header: String, Block, footer: String)
    /// The operations of an observer, for each time that the observer is called.
    case reactions(name: String, Reactions)
  }

  /// A node, an observation or another object that has a name.
  final class Declaration {
    let name: String
    let type: String
    let value: String
    let isVariable: Bool
    /// Whether the declaration has to be before everything else, because its object is made inside a block, or is
    /// released.
    var isHoisted: Bool

    init(_ name: String, type: String, value: String, isVariable: Bool, isHoisted: Bool) {
      self.name = name
      self.type = type
      self.value = value
      self.isVariable = isVariable
      self.isHoisted = isHoisted
    }
  }

  final class Reactions {
    var blocks: [Block] = []
  }

  /// Is called after each addition to the code.
  var didChange: (() -> Void)?

  private let root = Block()
  private var open: [Block]
  private var declarations: [Declaration] = []
  /// Whether the code has an observer's closure. The closure may name only objects that are declared before it.
  private var hasReactions = false

  init() { open = [root] }

  func add(_ code: String) {
    for line in code.split(separator: "\n") { open.last?.lines.append(.text(String(line))) }
    didChange?()
  }

  func declare(_ name: String, type: String, _ value: String, isVariable: Bool = false) {
    let isHoisted = isVariable || open.count > 1
    let declaration = Declaration(name, type: type, value: value, isVariable: isVariable, isHoisted: isHoisted)
    declarations.append(declaration)
    open.last?.lines.append(.declaration(declaration))
    didChange?()
  }

  /// Releases the object with a name.
  func release(_ name: String) {
    declarations.first { $0.name == name }?.isHoisted = true
    add("\(name) = nil")
  }

  func block(_ header: String, footer: String = "}", _ body: () -> Void) {
    let block = Block()
    open.last?.lines.append(.block(header: header, block, footer: footer))
    open.append(block)
    body()
    open.removeLast()
  }

  func reactions(_ name: String) -> Reactions {
    let reactions = Reactions()
    hasReactions = true
    open.last?.lines.append(.reactions(name: name, reactions))
    return reactions
  }

  func reaction(of reactions: Reactions, _ body: () -> Void) {
    let block = Block()
    reactions.blocks.append(block)
    // The observer interrupts the blocks above the root on the stack.
    let former = open
    open = [root, block]
    body()
    open = former
  }

  /// The statements, indented by two spaces.
  func statements() -> [String] {
    let hoisted = declarations.filter { $0.isHoisted || hasReactions }
    for declaration in hoisted { declaration.isHoisted = true }
    var lines = hoisted.map { "var \($0.name): \($0.type)!" }
    append(root, indent: "", to: &lines)
    return lines.map { "  " + $0 }
  }

  /// The names of all objects that are not released.
  var names: [String] { declarations.filter { !$0.isVariable }.map(\.name) }

  private func append(_ block: Block, indent: String, to lines: inout [String]) {
    for line in block.lines {
      switch line {
      case .text(let text): lines.append(indent + text)
      case .declaration(let declaration):
        lines.append("\(indent)\(declaration.isHoisted ? "" : "let ")\(declaration.name) = \(declaration.value)")
      case .block(let header, let block, let footer):
        lines.append(indent + header)
        append(block, indent: indent + "  ", to: &lines)
        lines.append(indent + footer)
      case .reactions(let name, let reactions):
        lines.append("\(indent)  \(name) += 1")
        for (index, block) in reactions.blocks.enumerated() where !block.lines.isEmpty {
          lines.append("\(indent)  if \(name) == \(index + 1) {")
          append(block, indent: indent + "    ", to: &lines)
          lines.append("\(indent)  }")
        }
      }
    }
  }
}

extension NaiveTree<PipelineRow> {
  /// The tree as Swift code.
  var code: String {
    if value == nil, children.allSatisfy({ $0.children.isEmpty && $0.value != nil }) {
      return "NaiveTree<PipelineRow>(leaves: \(children.compactMap(\.value).code) as [PipelineRow])"
    }
    let list = children.map(\.code).joined(separator: ", ")
    return "NaiveTree<PipelineRow>(value: \(value?.code ?? "nil")\(children.isEmpty ? "" : ", children: [\(list)]"))"
  }
}
