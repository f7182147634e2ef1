@_spi(NodeAuthors) import Assemblage
import AssemblageTesting

// Writes by index path through all nodes on the path, and makes the same write in the models, naively.
extension PipelineRun {
  func write(_ write: PipelineOperation.Write, _ operation: PipelineOperation) -> Bool {
    var draw = PipelineDraw(self, operation)
    guard let (number, parent, prefix, followed) = place(of: write, &draw), let node = specimens[number]?.node else {
      return false
    }
    let name = name(of: number)
    let count = contents(of: parent).children.count
    var usesViews = leadsThroughViews(prefix, from: number)
    let mark = journal.count
    passage.beginEdit()
    var isDone = false
    var statement = ""
    var act: () -> Void = {}
    /// The step that the user makes in place of the statement, if the node is on a screen.
    var step: PipelineScreen.Step?
    switch write {
    case .insert:
      let position = draw.number(below: count + 1)
      let (row, path) = (draw.row(), prefix.appending(position))
      isDone = insert(.row(row), in: parent, at: position)
      statement = "insert(\(row.code), at: \(Array(path)))"
      act = { node.insert(row, at: path) }
    case .remove where count > 0:
      let position = followed ?? draw.number(below: count)
      let path = prefix.appending(position)
      step = userStep(.delete, in: number, at: path, owner: owner(of: parent, at: position))
      isDone = remove(from: parent, at: position)
      statement = "remove(at: \(Array(path)))"
      act = { node.remove(at: path) }
    case .replace where count > 0:
      let position = draw.number(below: count)
      let path = prefix.appending(position)
      let row = contents(of: parent).children[position].value.flatMap { draw.chance(1, in: 4) ? nil : $0.changed }
      let new = row ?? draw.row()
      step = userStep(.edit(new), in: number, at: path, owner: owner(of: parent, at: position))
      isDone = replace(in: parent, at: position, with: new)
      statement = "replace(at: \(Array(path)), with: \(new.code))"
      act = { node.replace(at: path, with: new) }
    case .move where count > 0:
      let path = prefix.appending(followed ?? draw.number(below: count))
      let goal = draw.chance(1, in: 2) ? place(below: number, &draw) : (parent, prefix)
      usesViews = usesViews || leadsThroughViews(goal.1, from: number)
      let goalCount = contents(of: goal.0).children.count
      // A move within a parent has no position behind the last child.
      let destination = goal.1.appending(draw.number(below: goal.1 == prefix ? goalCount : goalCount + 1))
      let isWithin = goal.1 == prefix
      let place = destination[destination.count - 1]
      let origin = path[path.count - 1]
      if let drop = isWithin ? dropPosition(in: prefix, of: node, from: origin, to: place) : place {
        step = userStep(.move(goal.1, drop), in: number, at: path, owner: owner(of: parent, at: origin))
      }
      let moved = contents(of: parent).children[origin].value
      isDone = move(in: number, from: path, to: destination)
      // A setter that drops a row changes the array. The node then reports a removal and an insertion.
      let drops = journal[mark...].contains { entry in
        guard let former = entry.model as? PropertyModel else { return false }
        return former.isFull && !former.rows.contains { $0.id == moved?.id }
      }
      if isDone, drops, let moved { passage.replaced.insert(moved.id) }
      // The destination is a path after the move. After the move, another node may be on this path.
      usesViews = usesViews || leadsThroughViews(goal.1, from: number)
      // The user names the new parent and the position in the parent as they are before the move. The program names
      // them as they are after the move. The two differ where the parent has moved. They also differ where the parent
      // shows the same source, and so has lost the row as well.
      if isDone, !isWithin,
        self.node(in: number, at: goal.1) != goal.0 || contents(of: goal.0).children.count != goalCount + 1
      {
        step = nil
      }
      if isDone { trail = PathTrail(root: number, child: destination, folder: prefix) }
      statement = "move(from: \(Array(path)), to: \(Array(destination)))"
      act = { node.move(from: path, to: destination) }
    case .remove, .replace, .move: return false
    }
    guard isDone, isSmall(), keepsChildren(), !usesViews || maySettle() else {
      rewind(to: mark)
      return false
    }
    demandMinimality()
    if let step {
      code?.add(step.code)
      step.run()
    } else {
      code?.add("\(name).\(statement)")
      act()
    }
    return true
  }

  /// The position before which the user drops a row within its parent, so that the row gets to `place`; nil where the
  /// user's drop may end at another place than the program's move.
  private func dropPosition(
    in prefix: IndexPath, of root: any TreeNode<PipelineRow>, from origin: Int, to place: Int
  ) -> Int? {
    // A look at the node, or at the places of rows, settles the graph, as a screen does.
    if openTransactions > 0, !hasSettledEarly { return nil }
    guard let parent = root.child(at: prefix), let writer = parent.writer, writer.treeRow(at: origin) != nil else {
      return place < origin ? place : place + 1
    }
    // All rows that move with a row leave together with it. For other rows of trees, the program's moves have rules of
    // their own.
    guard parent is OutlineNode<PipelineRow, Int> else { return nil }
    let size = writer.countMoving(with: origin)
    let place = min(place, parent.count - size)
    // If the user drops the last rows on their own place, the program moves these rows out of their parents.
    if place == origin { return nil }
    return place < origin ? place : place + size
  }

  /// The last move by index path, which the next edits of a transaction may follow.
  struct PathTrail {
    let root: NodeNumber
    /// The path of the row after the move, and the path of the parent that the row left.
    let child: IndexPath
    let folder: IndexPath
  }

  /// Draws the place of a write: a node, a node below it, the path to the lower node, and sometimes the position in
  /// that node.
  ///
  /// A random path rarely leads to the same child again, or to the folder that the child left. So the write sometimes
  /// follows the trail.
  private func place(
    of write: PipelineOperation.Write, _ draw: inout PipelineDraw
  ) -> (root: NodeNumber, parent: NodeNumber, prefix: IndexPath, position: Int?)? {
    guard let number = draw.pick({ _ in true }) else { return nil }
    let choice = draw.number(below: 4)
    if let trail, held.contains(trail.root), write == .move || write == .remove, choice > 1 {
      let path = choice == 2 ? trail.child : trail.folder
      if let position = path.last, let parent = node(in: trail.root, at: path.dropLast()),
        position < contents(of: parent).children.count
      {
        return (trail.root, parent, path.dropLast(), position)
      }
    }
    let (parent, prefix) = place(below: number, &draw)
    return (number, parent, prefix, nil)
  }

  /// Whether the path leads through a node that shows the children of other nodes.
  private func leadsThroughViews(_ path: IndexPath, from root: NodeNumber) -> Bool {
    (0...path.count).contains { length in
      guard let specimen = node(in: root, at: path.prefix(length)).flatMap({ specimens[$0] }) else { return false }
      return !holdsChildren(specimen)
    }
  }

  /// Draws a node below another one, or the other one itself, and the path to the drawn node.
  private func place(below number: NodeNumber, _ draw: inout PipelineDraw) -> (NodeNumber, IndexPath) {
    var (number, path) = (number, IndexPath())
    while path.count < 4, draw.chance(1, in: 2) {
      let children = contents(of: number).children.indices.compactMap { position in
        node(in: number, at: position).map { (position, $0) }
      }
      guard !children.isEmpty else { break }
      let child = children[draw.number(below: children.count)]
      path.append(child.0)
      number = child.1
    }
    return (number, path)
  }

  /// The node that owns the child at a position, and the child's position in that node.
  private func owner(of number: NodeNumber, at position: Int) -> (Specimen, Int)? {
    var (number, position) = (number, position)
    while let specimen = specimens[number] {
      guard let route = specimen.model.route(ofChild: position, { contents(of: $0) }) else { return nil }
      switch route {
      case .own(let position): return (specimen, position)
      case .source(let source, let place): (number, position) = (source, place)
      }
    }
    return nil
  }

  /// The node that receives a row inserted at a position, and the position of the row in that node.
  private func insertionOwner(of number: NodeNumber, at position: Int) -> (Specimen, Int)? {
    var (number, position) = (number, position)
    while let specimen = specimens[number], position <= contents(of: number).children.count {
      guard let route = specimen.model.route(ofInsertion: position, { contents(of: $0) }) else { return nil }
      switch route {
      case .own(let position): return (specimen, position)
      case .source(let source, let place): (number, position) = (source, place)
      }
    }
    return nil
  }

  /// The node at a position of another node.
  private func node(in number: NodeNumber, at position: Int) -> NodeNumber? {
    owner(of: number, at: position).flatMap { $0.model.node(at: $1) }
  }

  /// The node at a path below another node.
  private func node(in number: NodeNumber, at path: IndexPath) -> NodeNumber? {
    var number = number
    for position in path {
      guard position < contents(of: number).children.count, let next = node(in: number, at: position) else {
        return nil
      }
      number = next
    }
    return number
  }

  private func change(_ specimen: Specimen, _ body: (inout any NodeModel) -> Bool) -> Bool {
    var model = specimen.model
    guard body(&model) else { return false }
    setModel(model, of: specimen)
    return true
  }

  /// Inserts a row or a node, and returns false where that is not possible.
  private func insert(_ child: Child, in number: NodeNumber, at position: Int) -> Bool {
    guard position <= contents(of: number).children.count, let specimen = specimens[number],
      let route = specimen.model.route(ofInsertion: position, { contents(of: $0) })
    else { return false }
    switch route {
    case .own(let position):
      return change(specimen) { model in
        switch child {
        case .row(let row): model.insert(row, at: position)
        case .node(let node): !reaches(node, number) && model.insertNode(node, at: position)
        }
      }
    case .source(let source, let position): return insert(child, in: source, at: position)
    }
  }

  private func remove(from number: NodeNumber, at position: Int) -> Bool {
    guard let (specimen, place) = owner(of: number, at: position) else { return false }
    return change(specimen) { $0.remove(at: place) }
  }

  private func replace(in number: NodeNumber, at position: Int, with row: PipelineRow) -> Bool {
    guard let (specimen, place) = owner(of: number, at: position) else { return false }
    return change(specimen) { $0.replace(at: place, with: row) }
  }

  private func move(in root: NodeNumber, from path: IndexPath, to destination: IndexPath) -> Bool {
    guard let parent = node(in: root, at: path.dropLast()), let position = path.last, let goal = destination.last
    else { return false }
    if path.dropLast() == destination.dropLast() { return move(in: parent, from: position, to: goal) }
    // No child moves below itself.
    guard !destination.starts(with: path) else { return false }
    // Both places are found before anything changes.
    var place = destination
    let depth = path.count - 1
    if destination.count > depth, destination.starts(with: path.dropLast()), destination[depth] >= position {
      place[depth] += 1
    }
    guard let target = node(in: root, at: place.dropLast()) else { return false }
    return relocate(from: parent, at: position, to: target, at: place[place.count - 1])
  }

  private func move(in number: NodeNumber, from position: Int, to destination: Int) -> Bool {
    guard let specimen = specimens[number],
      let route = specimen.model.route(ofMove: position, to: destination, { contents(of: $0) })
    else { return false }
    switch route {
    case .own: return change(specimen) { $0.move(from: position, to: destination) }
    case .source(let source, let position, let destination):
      return move(in: source, from: position, to: destination)
    case .relocating:
      return relocate(
        from: number, at: position, to: number, at: destination > position ? destination + 1 : destination)
    }
  }

  /// Moves a child before another child of this node or of another node. The position is the one before the move.
  private func relocate(from number: NodeNumber, at position: Int, to other: NodeNumber, at goal: Int) -> Bool {
    guard let (specimen, place) = owner(of: number, at: position),
      let (target, targetPlace) = insertionOwner(of: other, at: goal)
    else { return false }
    if specimen === target {
      // The source is there twice.
      if targetPlace == place || targetPlace == place + 1 { return true }
      return change(specimen) { $0.move(from: place, to: targetPlace > place ? targetPlace - 1 : targetPlace) }
    }
    let child: Child
    if let node = specimen.model.node(at: place) {
      child = .node(node)
    } else {
      guard let row = contents(of: number).children[position].value else { return false }
      child = .row(row)
    }
    return change(specimen) { $0.remove(at: place) }
      && insert(child, in: target.number, at: min(targetPlace, contents(of: target.number).children.count))
  }

  private enum Child {
    case row(PipelineRow)
    case node(NodeNumber)
  }
}
