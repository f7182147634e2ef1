import OffsetIndexing

/// The common state of the nodes of one nest: the rows and their tree, the closures, and which nodes live.
@usableFromInline
final class NestFamily<Element, ID: Hashable> {
  let functions: KeyFunctions<Element, ID>
  let translation: Cell<NestTranslation>
  let reader: NodeReader<Element>
  let table: KeyTable<ID>
  private let id: (Element) -> ID?
  private let parent: (Element) -> ID?

  /// The nodes of rows, by their numbers; in a cell for the reason that `NodeHub.state` gives.
  private let members = Cell(LivingNodes<Int>())

  init(
    _ source: any TreeNode<Element>, id: @escaping (Element) -> ID?, parent: @escaping (Element) -> ID?,
    _ functions: KeyFunctions<Element, ID>
  ) {
    self.functions = functions
    self.id = id
    self.parent = parent
    let (reader, table) = (source.reader, KeyTable<ID>())
    (self.reader, self.table) = (reader, table)
    let all = 0..<source.count
    let links = source.hub.refusingChanges {
      zip(functions.slots(reader, all, table, id), functions.slots(reader, all, table, parent)).map {
        NestLink(id: $0, parent: $1)
      }
    }
    translation = Cell(NestTranslation(links, slotCount: table.keys.count))
  }

  deinit {
    translation.destroy()
    members.destroy()
  }

  // MARK: Asking

  /// The ids and parents of the rows in a range of the source.
  func links(in range: Range<Int>) -> [NestLink] {
    zip(functions.slots(reader, range, table, id), functions.slots(reader, range, table, parent)).map {
      NestLink(id: $0, parent: $1)
    }
  }

  /// Forgets keys that no row knows any more.
  func forget(slots: [Int]) {
    for slot in slots where translation.value.isUnused(slot) { table.remove(slot: slot) }
  }

  // MARK: Nodes

  /// The living node with a number.
  func member(_ part: Int) -> NestNode<Element, ID>? {
    // No others are added.
    members.value[part].map { unsafe unsafeDowncast($0, to: NestNode<Element, ID>.self) }
  }

  /// The node of a row, made when it is first asked for.
  func node(of row: Int, root: NestNode<Element, ID>) -> NestNode<Element, ID> {
    if let part = translation.value.parts.part(of: row), let node = member(part) { return node }
    let part = translation.value.parts.add(for: row)
    let node = NestNode(self, part: part, row: row, root: root)
    members.value[part] = node
    return node
  }

  /// Notes that the node with a number dies.
  func forget(part: Int) {
    members.value[part] = nil
    guard let slot = translation.value.parts.remove(part) else { return }
    translation.value.leave(slot)
    forget(slots: [slot])
  }
}
