import Assemblage
import AssemblageTesting

/// A snapshot that a run keeps, and the contents of the node when the snapshot was made.
struct KeptSnapshot {
  let number: NodeNumber
  let snapshot: TreeSnapshot<PipelineRow>
  /// A copy that shares nothing with the node.
  let contents: TreeSnapshot<PipelineRow>
}

extension PipelineRun {
  /// Makes a snapshot of one of the nodes, in turn.
  func keepSnapshot() {
    guard fault == nil, !held.isEmpty else { return }
    let number = held[kept.count % held.count]
    guard let node = specimens[number]?.node else { return }
    kept.append(KeptSnapshot(number: number, snapshot: TreeSnapshot(of: node), contents: Self.copy(of: node)))
  }

  private static func copy(of node: any TreeNode<PipelineRow>) -> TreeSnapshot<PipelineRow> {
    var builder = TreeSnapshot<PipelineRow>.Builder(value: node.value)
    var open = [(node: node, next: 0)]
    while let last = open.indices.last {
      let (node, position) = open[last]
      guard position < node.count else {
        open.removeLast()
        if last > 0 { builder.endNode() }
        continue
      }
      open[last].next += 1
      if let child = node.child(at: position) {
        builder.beginNode(node.element(at: position))
        open.append((child, 0))
      } else {
        builder.appendLeaf(node.element(at: position))
      }
    }
    return builder.finish()
  }

  /// Checks that all snapshots are still equal to the former contents of their nodes. Also checks that the difference
  /// of two snapshots of a node leads from the earlier one to the later one.
  func checkSnapshots() {
    var last: [NodeNumber: KeptSnapshot] = [:]
    for state in kept {
      guard fault == nil else { return }
      let name = name(of: state.number)
      let code = "let snapshot = TreeSnapshot(of: \(name))"
      let (snapshot, contents) = (state.snapshot, state.contents)
      let children = contents.children.map(\.value)
      if snapshot != contents || snapshot.indices.map({ snapshot.element(at: $0) }) != children
        || snapshot.elements != children.compactMap({ $0 })
      {
        return fail(.contents, "\(name): a snapshot of \(contents) has become \(snapshot)", code: code)
      }
      for (number, path) in contents.paths.dropFirst().enumerated() {
        let descendants = snapshot.descendants
        if descendants.path(to: number) != path || descendants.number(at: path) != number
          || snapshot.value(at: path) != contents.value(at: path)
        {
          return fail(.contents, "\(name): \(path) is not the path of number \(number) in \(contents)", code: code)
        }
      }
      if let former = last.updateValue(state, forKey: state.number) {
        let change = former.snapshot.difference(to: snapshot, id: \.id)
        if (try? former.contents.applying(change, new: contents)) != contents {
          fail(
            .contents, "\(name): the difference of \(former.contents) and \(contents) is not \(change)", code: code)
        }
      }
    }
  }
}
