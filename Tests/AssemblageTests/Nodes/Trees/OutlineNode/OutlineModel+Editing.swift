import Assemblage
import AssemblageTesting
import Foundation
import TestSupport

/// A random edit of a deep tree.
enum TreeModelEdit: String, CaseIterable {
  case insertLeaf, insertSubtree, remove, replaceChild, replaceValue, moveAmongSiblings, moveToAnotherParent
  case editArray, replaceArray, updateArray, becomeNode
}

// Edits of the root of a tree. Each edit is made on the model and on its nodes.
extension OutlineModel {
  /// Makes an edit at a random place.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - nextID: the id of the item that was made last.
  ///   - generator: chooses the place.
  /// - Returns: whether the edit was possible at a place.
  func edit(_ edit: TreeModelEdit, nextID: inout Int, using generator: inout SeededGenerator) -> Bool {
    switch edit {
    case .insertLeaf, .insertSubtree: insert(isLeaf: edit == .insertLeaf, &nextID, &generator)
    case .remove, .replaceChild, .replaceValue, .moveAmongSiblings, .becomeNode:
      return editChild(edit, &nextID, &generator)
    case .moveToAnotherParent: return transfer(&generator)
    case .editArray, .replaceArray, .updateArray: return editArray(edit, &nextID, &generator)
    }
    return true
  }

  private func insert(isLeaf: Bool, _ nextID: inout Int, _ generator: inout SeededGenerator) {
    let (_, parent) = places(where: \.isBranch).randomElement(using: &generator)!
    let position = Int.random(in: 0...parent.children.count, using: &generator)
    nextID += 1
    let child =
      isLeaf ? OutlineModel(OutlineItem(id: nextID)) : OutlineModel.random(depth: 3, &nextID, using: &generator)
    parent.children.insert(child, at: position)
    parent.branch.insert(child.child, at: position)
  }

  private func anyParent(_ generator: inout SeededGenerator) -> OutlineModel? {
    places { $0.isBranch && !$0.children.isEmpty }.randomElement(using: &generator)?.model
  }

  private func editChild(
    _ edit: TreeModelEdit, _ nextID: inout Int, _ generator: inout SeededGenerator
  ) -> Bool {
    guard let parent = anyParent(&generator) else { return false }
    let position = Int.random(in: 0..<parent.children.count, using: &generator)
    let former = parent.children[position]
    switch edit {
    case .remove:
      parent.children.remove(at: position)
      parent.branch.remove(at: position)
    case .replaceChild:
      parent.replaceChild(at: position, with: OutlineModel.random(depth: 2, &nextID, using: &generator))
    case .replaceValue:
      guard var item = former.item else { return false }
      item.version += 1
      former.item = item
      parent.branch.replace(at: position, with: item)
    case .becomeNode:
      // A node becomes a leaf again.
      guard let item = former.item, former.children.isEmpty else { return false }
      parent.replaceChild(at: position, with: former.isNode ? OutlineModel(item) : OutlineModel.branch(item, []))
    default:
      let to = Int.random(in: 0..<parent.children.count, using: &generator)
      parent.children.insert(parent.children.remove(at: position), at: to)
      parent.branch.move(from: position, to: to)
    }
    return true
  }

  private func replaceChild(at position: Int, with child: OutlineModel) {
    children[position] = child
    branch[position] = child.child
  }

  private func editArray(
    _ edit: TreeModelEdit, _ nextID: inout Int, _ generator: inout SeededGenerator
  ) -> Bool {
    let arrays = places { if case .array = $0.kind { true } else { false } }
    guard let (_, model) = arrays.randomElement(using: &generator), case .array(let node) = model.kind else {
      return false
    }
    switch edit {
    case .editArray:
      nextID += 1
      node.replaceSubrange(generator.range(in: node.count), with: [OutlineItem(id: nextID)])
    case .updateArray:
      let count = Int.random(in: 1...3, using: &generator)
      node.replaceAll(
        with: node.elements.map { OutlineItem(id: $0.id, version: $0.version + $0.id % (count + 1)) }, id: { $0.id })
    default:
      node.replaceAll(with: node.elements.shuffled(using: &generator).dropFirst())
    }
    model.children = node.elements.map { OutlineModel($0) }
    return true
  }

  private func transfer(_ generator: inout SeededGenerator) -> Bool {
    guard let parent = anyParent(&generator) else { return false }
    let from = Int.random(in: 0..<parent.children.count, using: &generator)
    let path = places { $0 === parent }[0].path + [from]
    let child = parent.children.remove(at: from)
    let goal = places(where: \.isBranch).randomElement(using: &generator)!
    let to = Int.random(in: 0...goal.model.children.count, using: &generator)
    goal.model.children.insert(child, at: to)
    branch.move(from: IndexPath(indexes: path), to: IndexPath(indexes: goal.path + [to]))
    return true
  }
}
