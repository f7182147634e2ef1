import OffsetIndexing

/// What the nodes of one nest have in common: the rows and their tree, what is asked of the elements, and which nodes live.
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

  /// What a row says of itself, as keys.
  struct Keys {
    let id: ID?
    let parent: ID?
  }

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

  /// What the rows in a range of the source say.
  func links(in range: Range<Int>) -> [NestLink] {
    zip(functions.slots(reader, range, table, id), functions.slots(reader, range, table, parent)).map {
      NestLink(id: $0, parent: $1)
    }
  }

  /// What the rows in ranges of the source say; where it is known, what they said.
  func links(in ranges: Delta.Ranges, known: [Int: Keys]?) -> [NestLink] {
    ranges.flatMap { range in
      guard let known, range.allSatisfy({ known[$0] != nil }) else { return links(in: range) }
      return range.map { link(known[$0]!) }
    }
  }

  func link(_ keys: Keys) -> NestLink { NestLink(id: table.slot(for: keys.id), parent: table.slot(for: keys.parent)) }

  /// What the row at a position of the source says.
  func keys(at position: Int) -> Keys {
    let link = translation.value.rows[translation.value.row(atSource: position)].link
    return Keys(id: table.keys[link.id], parent: table.keys[link.parent])
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
