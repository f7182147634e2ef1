import OffsetIndexing

/// An edit of a tree index. It names a branch by its position in the model's list.
enum TreeIndexEdit {
  case insertLeaves(Int, into: Int, at: Int)
  case insertBranch(into: Int, at: Int)
  case insertTree([Int], into: Int, at: Int)
  case makeBranch(at: Int, of: Int)
  case makeLeaf(Int)
  case remove(Range<Int>, of: Int)
  case cut(Range<Int>, of: Int)
  case paste(Int, into: Int, at: Int)
  case removePiece(Int)
  case move(Int, of: Int, to: Int, below: Int)
  case collapse(Int)
  case expand(Int)
  case expandChildren(Int)

  /// The name of the case without its values, to count the edits made.
  var name: Substring { "\(self)".prefix { $0 != "(" } }

  static var names: [Substring] {
    [
      "insertLeaves", "insertBranch", "insertTree", "makeBranch", "makeLeaf", "remove", "cut", "paste",
      "removePiece", "move", "collapse", "expand", "expandChildren",
    ]
  }

  /// Returns every edit that is possible in a model. Insertions of leaves are runs of one and of two.
  static func all(of model: TreeIndexModel) -> [TreeIndexEdit] {
    var edits: [TreeIndexEdit] = []
    let branches = model.branches
    for (number, node) in branches.enumerated() {
      let count = node.children.count
      for position in 0...count {
        edits += [
          .insertLeaves(1, into: number, at: position), .insertLeaves(2, into: number, at: position),
          .insertBranch(into: number, at: position), .insertTree([0, 1], into: number, at: position),
        ]
        for end in position...count {
          edits += [.remove(position..<end, of: number), .cut(position..<end, of: number)]
        }
      }
      for (position, child) in node.children.enumerated() {
        if child.branch == nil { edits.append(.makeBranch(at: position, of: number)) }
        for (target, parent) in branches.enumerated() where !isBelow(parent, child) {
          let room = parent.children.count - (target == number ? 1 : 0)
          edits += (0...room).map { .move(position, of: number, to: $0, below: target) }
        }
      }
      if node.children.contains(where: \.isCollapsed) { edits.append(.expandChildren(number)) }
      if model.tops.contains(where: { $0 === node }) { continue }
      if count == 0 { edits.append(.makeLeaf(number)) }
      edits.append(node.isCollapsed ? .expand(number) : .collapse(number))
    }
    for (piece, top) in model.tops.enumerated().dropFirst() {
      edits.append(.removePiece(piece))
      for (target, parent) in branches.enumerated() where !isBelow(parent, top) {
        edits += (0...parent.children.count).map { .paste(piece, into: target, at: $0) }
      }
    }
    return edits
  }

  private static func isBelow(_ node: TreeIndexModel.Node, _ other: TreeIndexModel.Node) -> Bool {
    node === other || other.children.contains { isBelow(node, $0) }
  }

  /// Returns a random edit that is possible in a model, rarely nil. `reach` is the length of the longest inserted run.
  static func random(
    of model: TreeIndexModel, reach: Int, using random: inout some RandomNumberGenerator
  ) -> TreeIndexEdit? {
    for _ in 0..<5 {
      if let edit = draw(of: model, reach: reach, using: &random) { return edit }
    }
    return nil
  }

  private static func draw(
    of model: TreeIndexModel, reach: Int, using random: inout some RandomNumberGenerator
  ) -> TreeIndexEdit? {
    let branches = model.branches
    let number = Int.random(in: 0..<branches.count, using: &random)
    let node = branches[number]
    let count = node.children.count
    let boundary = Int.random(in: 0...count, using: &random)
    let end = Int.random(
      in: boundary...min(count, boundary + (Bool.random(using: &random) ? 1 : count)), using: &random)
    let child = count == 0 ? nil : Int.random(in: 0..<count, using: &random)
    let isTop = model.tops.contains { $0 === node }
    let target = Int.random(in: 0..<branches.count, using: &random)
    let room = branches[target].children.count
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .insertLeaves(.random(in: 0...reach, using: &random), into: number, at: boundary)
    case 1: return .insertBranch(into: number, at: boundary)
    case 2:
      var depths = [0]
      for _ in 0..<Int.random(in: 0...reach, using: &random) {
        depths.append(.random(in: 0...depths[depths.count - 1] + 1, using: &random))
      }
      return .insertTree(depths, into: number, at: boundary)
    case 3, 4:
      guard let child, node.children[child].branch == nil else { return nil }
      return .makeBranch(at: child, of: number)
    case 5: return isTop || count > 0 ? nil : .makeLeaf(number)
    case 6: return .remove(boundary..<end, of: number)
    case 7: return model.tops.count > 3 ? nil : .cut(boundary..<end, of: number)
    case 8:
      guard model.tops.count > 1 else { return nil }
      let piece = Int.random(in: 1..<model.tops.count, using: &random)
      if isBelow(branches[target], model.tops[piece]) { return nil }
      return .paste(piece, into: target, at: .random(in: 0...room, using: &random))
    case 9:
      guard let child, !isBelow(branches[target], node.children[child]) else { return nil }
      let end = room - (target == number ? 1 : 0)
      return .move(child, of: number, to: .random(in: 0...end, using: &random), below: target)
    case 10: return isTop ? nil : .collapse(number)
    case 11: return model.tops.count > 1 ? .removePiece(.random(in: 1..<model.tops.count, using: &random)) : nil
    case 12: return node.children.contains(where: \.isCollapsed) ? .expandChildren(number) : nil
    default: return isTop || !node.isCollapsed ? nil : .expand(number)
    }
  }

  /// Removes leaves in one search; returns false where the leaves are in several runs.
  private static func removeLeaves(
    _ range: Range<Int>, of parent: TreeIndex.Branch, _ index: inout TreeIndex
  ) -> Bool {
    if range.isEmpty { return false }
    let number = index.child(at: range.lowerBound, of: parent).number
    if range.count == 1 {
      precondition(index.removeLeaf(at: range.lowerBound, of: parent) == number, "the number of the leaf")
      return true
    }
    let hasForest = parent == TreeIndex.root || index.isCollapsed(parent) || index.isPiece(parent)
    let forest = hasForest ? parent : index.forest(of: parent)
    guard let place = index.removeRun(range, of: parent) else { return false }
    precondition(place == (number, forest), "where the leaves were")
    return true
  }

  /// Applies the edit to the index and to the objects.
  func apply(to model: inout TreeIndexModel) {
    let nodes = model.branches
    let handles = nodes.map { $0.branch! }
    switch self {
    case .insertLeaves(let count, let parent, let position):
      let number = model.index.number(ofInsertionAt: position, into: handles[parent])
      let reported = model.index.insertLeaves(count, into: handles[parent], at: position)
      precondition(reported == number, "the number of the first leaf")
      nodes[parent].children.insert(contentsOf: (0..<count).map { _ in .init() }, at: position)
    case .insertBranch(let parent, let position):
      let branch = model.index.insertBranch(into: handles[parent], at: position)
      nodes[parent].children.insert(.init(branch: branch), at: position)
    case .insertTree(let depths, let parent, let position):
      var added = TreeIndexModel(depths: depths, shape: nil)
      let first = added.branches.dropFirst().first
      if let first, depths.count % 2 == 0 {
        first.isCollapsed = true
        added.index.collapse(first.branch!)
      }
      let new = model.index.insert(added.index, into: handles[parent], at: position)
      for node in added.branches.dropFirst() { node.branch = new[node.branch!]! }
      nodes[parent].children.insert(contentsOf: added.tops[0].children, at: position)
    case .makeBranch(let position, let parent):
      nodes[parent].children[position].branch = model.index.makeBranch(at: position, of: handles[parent])
    case .makeLeaf(let branch):
      model.index.makeLeaf(handles[branch])
      nodes[branch].branch = nil
      nodes[branch].isCollapsed = false
    case .remove(let range, let parent):
      var removed: Set<TreeIndex.Branch> = []
      let below = nodes[parent].children[range].flatMap(\.handles)
      if range.lowerBound % 2 == 0 || !below.isEmpty || !Self.removeLeaves(range, of: handles[parent], &model.index) {
        model.index.removeChildren(range, of: handles[parent]) { removed.insert($0) }
      }
      precondition(removed == Set(below) && removed.count == below.count, "what was told as removed")
      nodes[parent].children.removeSubrange(range)
    case .cut(let range, let parent):
      let piece = model.index.cutChildren(range, of: handles[parent])
      model.tops.append(.init(Array(nodes[parent].children[range]), branch: piece))
      nodes[parent].children.removeSubrange(range)
    case .paste(let piece, let parent, let position):
      let top = model.tops.remove(at: piece)
      model.index.paste(top.branch!, into: handles[parent], at: position)
      nodes[parent].children.insert(contentsOf: top.children, at: position)
    case .removePiece(let piece):
      let top = model.tops.remove(at: piece)
      var removed: Set<TreeIndex.Branch> = []
      model.index.removePiece(top.branch!) { removed.insert($0) }
      precondition(removed == Set(top.children.flatMap(\.handles)), "what was told as removed")
    case .move(let position, let parent, let newPosition, let newParent):
      model.index.moveChild(at: position, of: handles[parent], to: newPosition, of: handles[newParent])
      nodes[newParent].children.insert(nodes[parent].children.remove(at: position), at: newPosition)
    case .collapse(let branch):
      model.index.collapse(handles[branch])
      nodes[branch].isCollapsed = true
    case .expand(let branch):
      model.index.expand(handles[branch])
      nodes[branch].isCollapsed = false
    case .expandChildren(let parent):
      let collapsed = nodes[parent].children.filter(\.isCollapsed)
      let reported = model.index.expand(collapsed.map { $0.branch! })
      precondition(reported == collapsed.map { model.index.descendants(of: $0.branch!) }, "what came")
      for node in collapsed { node.isCollapsed = false }
    }
  }
}
