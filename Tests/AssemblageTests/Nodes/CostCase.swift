#if InternalChecks
  import Assemblage
  import AssemblageTesting
  import Foundation

  /// An operation on a node of each kind.
  enum CostCase: CaseIterable {
    case arrayInsert, arrayRemove, arrayReplace, arrayMove, arrayElement
    case branchInsert, branchRemove, branchMove, branchTransfer
    case provider
    case joinElement, joinPositions, joinSourceEdit, joinMember, joinMoveMember, joinWrite
    case filterPositions, filterInsert, filterRemove, filterUpdate, filterWrite
    case sortPositions, sortInsert, sortRemove, sortUpdate, sortMove
    case mapInsert, sliceShift, sliceWindow, segmentEdit
    case hierarchyReload
    case outlinePositions, outlineToggle, outlineInsert, outlineRemove
    case groupInsert, groupRemove, groupUpdate, flattenPositions, flattenInsert, uniqueInsert, uniqueUpdate
    case nestInsert, nestRemove, nestMove, nestParent, nestPositions
    case treeFilterInsert, treeFilterUpdate, treeFilterPositions, treeSortInsert, treeSortUpdate, treeSortPositions
    case descendantsInsert, descendantsPositions
    case aggregateUpdate, aggregateInsert, aggregateTransfer, aggregateSort, trackerUpdate, trackerMark
    case anchorFollows, selectionFollows, identityLookup
    case fourLevels, transaction, rollback, undo

    typealias Step = (inout SeededGenerator) -> Void

    /// Makes a graph of a size, and returns an operation on the graph that keeps its size, or nearly.
    func prepare(_ size: Int) -> Step {
      switch self {
      case .arrayInsert, .arrayRemove, .arrayReplace, .arrayMove, .arrayElement: array(size)
      case .branchInsert, .branchRemove, .branchMove, .branchTransfer: branch(size)
      case .provider: provider(size)
      case .joinElement, .joinPositions, .joinSourceEdit, .joinMember, .joinMoveMember, .joinWrite: join(size)
      case .filterPositions, .filterInsert, .filterRemove, .filterUpdate, .filterWrite: filter(size)
      case .sortPositions, .sortInsert, .sortRemove, .sortUpdate, .sortMove: sort(size)
      case .mapInsert, .sliceShift, .sliceWindow, .segmentEdit: views(size)
      case .hierarchyReload: hierarchy(size)
      case .outlinePositions, .outlineToggle, .outlineInsert, .outlineRemove: outline(size)
      case .groupInsert, .groupRemove, .groupUpdate: group(size)
      case .flattenPositions, .flattenInsert: flatten(size)
      case .uniqueInsert, .uniqueUpdate: unique(size)
      case .nestInsert, .nestRemove, .nestMove, .nestParent, .nestPositions: nest(size)
      case .treeFilterInsert, .treeFilterUpdate, .treeFilterPositions: treeFilter(size)
      case .treeSortInsert, .treeSortUpdate, .treeSortPositions: treeSort(size)
      case .descendantsInsert, .descendantsPositions: descendants(size)
      case .aggregateSort: sortByTotals(size)
      case .aggregateUpdate, .aggregateInsert, .aggregateTransfer, .trackerUpdate, .trackerMark: totals(size)
      case .anchorFollows, .selectionFollows, .identityLookup: following(size)
      case .fourLevels, .transaction, .rollback, .undo: graph(size)
      }
    }

    private func array(_ size: Int) -> Step {
      let node = ArrayNode(0..<size)
      return { generator in
        let (first, second) = (node.randomPosition(&generator), node.randomPosition(&generator))
        switch self {
        case .arrayInsert: node.insert(7, at: first)
        case .arrayRemove: node.remove(at: first)
        case .arrayReplace: node[first] = second
        case .arrayMove: node.move(from: first, to: second)
        // An array that is one piece needs no index. Its elements are read through the reader, too.
        default: precondition(node.reader.element(at: first) != nil)
        }
      }
    }

    private func branch(_ size: Int) -> Step {
      let branch = BranchNode<Int>((0..<size).map { .leaf($0) })
      let other = BranchNode<Int>([.leaf(1)])
      let root = BranchNode<Int>([.node(branch), .node(other)])
      let token = root.observe { _ in }
      return { generator in
        withExtendedLifetime(token) {
          let (first, second) = (branch.randomPosition(&generator), branch.randomPosition(&generator))
          precondition(branch.reader.element(at: first) != nil)
          switch self {
          case .branchInsert: branch.insert(.leaf(7), at: first)
          case .branchRemove: branch.remove(at: first)
          case .branchMove: branch.move(from: first, to: second)
          default:
            root.move(from: [0, first], to: [1, 0])
            root.move(from: [1, 1], to: [0, second])
          }
        }
      }
    }

    private func provider(_ size: Int) -> Step {
      let provider = ProviderNode(count: size) { $0 }
      let filter = FilterNode(provider) { $0 % 2 == 0 }
      return { generator in
        let position = provider.randomPosition(&generator)
        provider.announce(.update(position..<position + 1))
        withExtendedLifetime(filter) {}
      }
    }

    private func join(_ size: Int) -> Step {
      let members = (0..<size / 8).map { number in ArrayNode((0..<8).map { number * 8 + $0 }) }
      let join = JoinNode<Int>(members)
      return { generator in
        let position = join.randomPosition(&generator)
        let ordinal = Int.random(in: 0..<join.memberCount, using: &generator)
        switch self {
        case .joinElement: precondition(join.reader.element(at: position) != nil)
        case .joinPositions:
          let place = join.locate(position)
          precondition(join.position(of: place.position, inMember: place.member) == position)
        case .joinSourceEdit: members[ordinal].insert(7, at: 3)
        case .joinMember:
          join.insertMember(members[0], at: ordinal)
          join.removeMember(at: ordinal)
        case .joinMoveMember: join.moveMember(from: ordinal, to: join.memberCount / 2)
        default: join.replace(at: position, with: 5)
        }
      }
    }

    private func filter(_ size: Int) -> Step {
      let source = ArrayNode(0..<size)
      let filter = FilterNode(source) { $0 % 3 != 0 }
      return { generator in
        let position = source.randomPosition(&generator)
        switch self {
        case .filterPositions:
          let visible = filter.randomPosition(&generator)
          precondition(filter.position(ofSource: filter.sourcePosition(of: visible)) == visible)
        case .filterInsert: source.insert(position, at: position)
        case .filterRemove: source.remove(at: position)
        case .filterUpdate: source[position] += 1
        default: filter.insert(7, at: filter.randomPosition(&generator))
        }
      }
    }

    private func sort(_ size: Int) -> Step {
      // At every size, each key occurs four times.
      let source = ArrayNode((0..<size).map { $0 &* 40_503 % (size / 4) })
      let sorted = SortNode(source)
      return { generator in
        let position = source.randomPosition(&generator)
        switch self {
        case .sortPositions: precondition(sorted.sourcePosition(of: sorted.position(ofSource: position)!) == position)
        case .sortInsert: source.insert(Int.random(in: 0..<size / 4, using: &generator), at: position)
        case .sortRemove: source.remove(at: position)
        case .sortUpdate: source[position] = Int.random(in: 0..<size / 4, using: &generator)
        default: source.move(from: position, to: source.randomPosition(&generator))
        }
      }
    }

    private func views(_ size: Int) -> Step {
      let source = ArrayNode(0..<size)
      let filter = FilterNode(source) { $0 % 2 == 0 }
      let map = MapNode(filter) { $0 + 1 }
      let slice = SliceNode(filter, 50..<150)
      let segment = SegmentNode<Int>([ArrayNode([1]), filter], selection: 1)
      return { generator in
        let position = source.randomPosition(&generator)
        switch self {
        case .mapInsert:
          source.insert(position, at: position)
          precondition(map.reader.element(at: map.randomPosition(&generator)) != nil)
        case .sliceShift: source.insert(4, at: position % 80)
        case .sliceWindow:
          let lower = Int.random(in: 0..<100, using: &generator)
          slice.window = lower..<lower + 100
          precondition(slice.reader.element(at: 99) != nil)
        default:
          source.remove(at: position)
          precondition(segment.reader.element(at: segment.randomPosition(&generator)) != nil)
        }
        withExtendedLifetime((map, slice, segment)) {}
      }
    }

    /// Numbers below a root: 64 folders, most with many files. One small folder is reloaded.
    private func hierarchy(_ size: Int) -> Step {
      let contents = Contents()
      let hierarchy = HierarchyNode(
        -1, id: { $0 },
        children: { id in
          switch id {
          case -1: Array(0..<64)
          case 0: contents.rows
          case 1..<64: (0..<size / 64).map { 1_000 + id * size + $0 }
          default: []
          }
        })
      for position in 0..<hierarchy.count { precondition(hierarchy.child(at: position)!.count >= 0) }
      let filter = FilterNode(hierarchy) { $0 >= 0 }
      return { generator in
        contents.rows = (0..<8).map { _ in -10 - Int.random(in: 0..<100, using: &generator) }.removingDuplicates()
        hierarchy.reload(at: [0])
        precondition(filter.reader.element(at: 0) != nil)
      }
    }

    private final class Contents {
      var rows: [Int] = []
    }

    private func outline(_ size: Int) -> Step {
      let folders = (0..<32).map { folder in
        BranchNode<Int>(value: folder, (0..<size / 32).map { .leaf(1_000 + folder * size + $0) })
      }
      let root = BranchNode<Int>(folders.map { .node($0) })
      let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
      let token = outline.observe { _ in }
      return { generator in
        withExtendedLifetime(token) {
          let row = outline.randomPosition(&generator)
          let folder = Int.random(in: 0..<32, using: &generator)
          switch self {
          case .outlinePositions:
            precondition(outline.row(ofPath: outline.path(ofRow: row)) == row)
            precondition(outline.reader.element(at: row) != nil)
          case .outlineToggle:
            outline.toggle(row: outline.row(ofPath: [folder])!)
            outline.toggle(row: outline.row(ofPath: [folder])!)
            precondition(outline.reader.element(at: 0) != nil)
          case .outlineInsert: folders[folder].insert(.leaf(-row - 1), at: folders[folder].randomPosition(&generator))
          default: folders[folder].remove(at: folders[folder].randomPosition(&generator))
          }
        }
      }
    }

    private func group(_ size: Int) -> Step {
      let source = ArrayNode(0..<size)
      let group = GroupNode(source) { $0 % 64 }
      return { generator in
        let position = source.randomPosition(&generator)
        switch self {
        case .groupInsert: source.insert(position, at: source.randomPosition(&generator))
        case .groupRemove: source.remove(at: position)
        default: source[position] = source.randomPosition(&generator)
        }
        precondition(group.ordinal(ofKey: 5) != nil)
      }
    }

    private func flatten(_ size: Int) -> Step {
      let members = (0..<size / 8).map { number in ArrayNode((0..<8).map { number * 8 + $0 }) }
      let flat = FlattenNode(BranchNode<Int>(members.map { .node($0) }))
      return { generator in
        if self == .flattenInsert { members[flat.randomPosition(&generator) % members.count].insert(7, at: 3) }
        let position = flat.randomPosition(&generator)
        let place = flat.locate(position)
        precondition(flat.position(of: place.position, inMember: place.member) == position)
      }
    }

    private func unique(_ size: Int) -> Step {
      let source = ArrayNode((0..<size).map { $0 % (size / 4) })
      let unique = UniqueNode(source) { $0 }
      return { generator in
        let (first, second) = (source.randomPosition(&generator), source.randomPosition(&generator))
        if self == .uniqueInsert { source.insert(second, at: first) } else { source[first] = second }
        withExtendedLifetime(unique) {}
      }
    }

    /// Rows with the ids 0, 1, …, each with four children. Edits are at rows without children, except for the row that
    /// moves.
    private func nest(_ size: Int) -> Step {
      struct Item {
        var id: Int
        var parent: Int?
      }
      let source = ArrayNode((0..<size).map { Item(id: $0, parent: $0 == 0 ? nil : ($0 - 1) / 4) })
      let nest = NestNode(source, id: \.id, parent: \.parent)
      let token = nest.observe { _ in }
      var next = size
      return { generator in
        withExtendedLifetime(token) {
          let position = Int.random(in: size / 2..<source.count, using: &generator)
          switch self {
          case .nestInsert:
            next += 1
            source.insert(Item(id: next, parent: position / 4), at: source.randomPosition(&generator))
          case .nestRemove: source.remove(at: position)
          case .nestMove: source.move(from: source.randomPosition(&generator), to: source.randomPosition(&generator))
          // A sixteenth of all rows moves.
          case .nestParent: source.update(at: 5) { $0.parent = $0.parent == 1 ? 2 : 1 }
          default:
            let path = nest.path(ofSource: position)!
            precondition(nest.element(at: path)?.id == source[position].id)
          }
        }
      }
    }

    private func folders(_ size: Int) -> (root: BranchNode<Int>, folders: [BranchNode<Int>]) {
      let folders = (0..<32).map { folder in
        BranchNode<Int>(value: -folder - 1, (0..<size / 32).map { .leaf(1_000 + folder * size + $0) })
      }
      return (BranchNode(folders.map { .node($0) }), folders)
    }

    private func treeSort(_ size: Int) -> Step {
      let (root, folders) = folders(size)
      let sort = TreeSortNode(root)
      let token = sort.observe { _ in }
      for position in 0..<sort.count { precondition(sort.child(at: position)!.count == size / 32) }
      return { generator in
        withExtendedLifetime(token) {
          let folder = folders.randomElement(using: &generator)!
          let position = folder.randomPosition(&generator)
          switch self {
          case .treeSortInsert: folder.insert(.leaf(position), at: position)
          case .treeSortUpdate: folder.replace(at: position, with: Int.random(in: 0..<size, using: &generator))
          default:
            let shown = sort.child(at: 7)!
            precondition(shown.element(at: shown.randomPosition(&generator)) != nil)
            precondition(sort.position(ofSource: sort.sourcePosition(of: 7)) == 7)
          }
        }
      }
    }

    private func treeFilter(_ size: Int) -> Step {
      let (root, folders) = folders(size)
      let filter = TreeFilterNode(root, policy: .keepingAncestors) { $0 >= 0 && $0 % 3 == 0 }
      let token = filter.observe { _ in }
      return { generator in
        withExtendedLifetime(token) {
          let folder = folders.randomElement(using: &generator)!
          let position = folder.randomPosition(&generator)
          switch self {
          case .treeFilterInsert: folder.insert(.leaf(position), at: position)
          case .treeFilterUpdate: folder.replace(at: position, with: Int.random(in: 0..<size, using: &generator))
          default:
            let shown = filter.child(at: 7)!
            precondition(shown.element(at: shown.randomPosition(&generator)) != nil && filter.matchCount > 0)
            precondition(filter.sourcePosition(of: 7) == 7)
          }
        }
      }
    }

    private func descendants(_ size: Int) -> Step {
      let (root, folders) = folders(size)
      let lists = [DescendantsNode(root), DescendantsNode(root, .leaves)]
      let tokens = lists.map { $0.observe { _ in } }
      return { generator in
        withExtendedLifetime(tokens) {
          let folder = folders.randomElement(using: &generator)!
          if self == .descendantsInsert { folder.insert(.leaf(7), at: folder.randomPosition(&generator)) }
          for list in lists {
            let row = list.randomPosition(&generator)
            precondition(list.row(ofPath: list.path(ofRow: row)) == row && list.reader.element(at: row) != nil)
          }
        }
      }
    }

    /// A graph with a hundred anchors, and with a tenth of all rows selected.
    private func following(_ size: Int) -> Step {
      let (root, folders) = folders(size)
      let anchors = AnchorSet(of: root)
      let held = (0..<100).map { anchors.anchor(at: [$0 % 32, $0 * (size / 32) / 100]) }
      let rows = ArrayNode(0..<size)
      let selection = SelectionModel(of: rows)
      for start in stride(from: 0, to: size, by: 100) { selection.select(start..<min(start + 10, size)) }
      let index = IdentityIndex(of: root) { $0 }
      return { generator in
        let folder = Int.random(in: 0..<32, using: &generator)
        let position = folders[folder].randomPosition(&generator)
        switch self {
        case .anchorFollows:
          folders[folder].insert(.leaf(0), at: position)
          precondition(held[7].path != nil)
        case .selectionFollows:
          rows.insert(0, at: position)
          precondition(selection.selectedCount > 0)
        default: precondition(index.path(of: 1_000 + folder * size) == [folder, 0])
        }
      }
    }

    /// Sums over three levels. A subtree of a quarter of the size may move.
    private func totals(_ size: Int) -> Step {
      let folders = (0..<4).map { folder in BranchNode<Int>((0..<size / 4).map { .leaf(folder + $0 % 3) }) }
      let root = BranchNode<Int>([BranchNode<Int>(folders.map { .node($0) }), BranchNode<Int>()])
      let isTracker = self == .trackerUpdate || self == .trackerMark
      let sums = isTracker ? nil : AggregateIndex(of: root, .sum { $0 })
      let changes = isTracker ? ChangeTracker(of: root) : nil
      return { generator in
        let folder = Int.random(in: 0..<4, using: &generator)
        let position = folders[folder].randomPosition(&generator)
        switch self {
        case .aggregateUpdate, .trackerUpdate: folders[folder].replace(at: position, with: 5)
        case .aggregateInsert:
          folders[folder].insert(.leaf(3), at: position)
          folders[folder].remove(at: folders[folder].randomPosition(&generator))
        case .aggregateTransfer:
          root.move(from: [0, folder], to: [1, 0])
          root.move(from: [1, 0], to: [0, folder])
        default:
          folders[folder].replace(at: position, with: 5)
          changes!.markUnchanged(at: [0, folder, position])
        }
        if let sums { precondition(sums.total(at: [0, folder]) >= sums.total(at: [0, folder, 0])) }
        if let changes { precondition(changes.wasChanged(at: [0]) == (self == .trackerUpdate)) }
      }
    }

    private func sortByTotals(_ size: Int) -> Step {
      let folders = (0..<size / 8).map { folder in
        BranchNode<Int>((0..<8).map { .leaf((folder &* 7_919 + $0) % 1_000) })
      }
      let root = BranchNode<Int>(folders.map { .node($0) })
      let sorted = SortNode(root, by: AggregateIndex(of: root, .sum { $0 }))
      return { generator in
        let folder = Int.random(in: 0..<folders.count, using: &generator)
        folders[folder].replace(at: 3, with: Int.random(in: 0..<1_000, using: &generator))
        precondition(sorted.position(ofSource: folder) != nil)
      }
    }

    private func graph(_ size: Int) -> Step {
      let source = ArrayNode(0..<size)
      let filter = FilterNode(source) { $0 % 5 != 0 }
      let join = JoinNode<Int>([ArrayNode([1, 2]), filter])
      let sorted = SortNode(join) { $0 > $1 }
      let top = FilterNode(sorted) { $0 % 7 != 0 }
      let token = top.observe { _ in }
      let log = UndoLog(of: source)
      log.limit = 4
      return { generator in
        withExtendedLifetime(token) {
          let position = source.randomPosition(&generator)
          switch self {
          case .fourLevels: source.insert(position, at: position)
          case .transaction:
            top.performUpdates {
              source.insert(position, at: position)
              source.remove(at: source.randomPosition(&generator))
              source[position] = 3
            }
          case .rollback:
            try? top.performUpdates {
              source.insert(position, at: position)
              source.remove(at: source.randomPosition(&generator))
              throw CancellationError()
            }
          default:
            source.remove(at: position)
            log.undo()
          }
        }
      }
    }
  }

  extension TreeNode {
    fileprivate func randomPosition(_ generator: inout SeededGenerator) -> Int {
      Int.random(in: 0..<count, using: &generator)
    }
  }

  extension [Int] {
    fileprivate func removingDuplicates() -> [Int] {
      var seen: Set<Int> = []
      return filter { seen.insert($0).inserted }
    }
  }
#endif
