import Assemblage
import Foundation

/// The job of the suite `hierarchy`: folders, and the visible rows. A folder's children are requested when the folder
/// is opened.
///
/// The tree is a numbered tree. A closure computes its children.
protocol Browsing: AnyObject, Measured {
  /// - Parameters:
  ///   - source: gives the children of folders.
  ///   - isOpen: whether all folders are open at first, and new folders are open, too.
  init(_ source: NumberedFolders, isOpen: Bool)
  var rowCount: Int { get }
  /// The sum of the numbers of some rows and of the number of rows that can be opened.
  func draw(_ rows: Range<Int>) -> Int
  /// Opens or closes a row.
  func toggle(_ row: Int)
  /// Requests the children of an opened folder again.
  func reload(_ number: Int)
}

/// The folders of a numbered tree. One child of one folder may be missing for a while.
final class NumberedFolders {
  let tree: NumberedTree
  private var missing = -1

  init(_ tree: NumberedTree) { self.tree = tree }

  func isFolder(_ number: Int) -> Bool { tree.folders.contains(number) }

  func children(of number: Int) -> [Int] { tree.children(of: number).filter { $0 != missing } }

  /// Removes the last child of a folder, or restores the missing child.
  func change(_ number: Int) { missing = missing < 0 ? tree.children(of: number).last ?? -1 : -1 }
}

/// The library's hierarchy and outline.
final class HierarchySubject: Browsing {
  static let name = "HierarchyNode"
  static let origin = Subject.Origin.library
  private let hierarchy: HierarchyNode<Int>
  private let outline: OutlineNode<Int, Int>
  private let source: NumberedFolders
  private let token: NodeObservation

  init(_ source: NumberedFolders, isOpen: Bool) {
    self.source = source
    hierarchy = HierarchyNode(
      0, id: { $0 }, hasChildren: source.isFolder, children: source.children(of:))
    outline = OutlineNode(
      hierarchy, expansion: ExpansionState(policy: isOpen ? .expanded : .collapsed), id: { $0 })
    token = outline.observe { _ in }
  }

  var rowCount: Int { outline.count }

  func draw(_ rows: Range<Int>) -> Int {
    outline.rows(in: rows).reduce(0) { $0 &+ ($1.value ?? 0) &+ ($1.hasChildren ? 1 : 0) }
  }

  func toggle(_ row: Int) { outline.toggle(row: row) }

  func reload(_ number: Int) { hierarchy.reload(at: IndexPath(indexes: source.tree.path(of: number)), .children) }
}

/// An object for each folder that has been opened, and the usual array of visible rows.
final class FolderObjects: Browsing {
  static let name = "FolderObjects"

  private final class Folder {
    let number: Int
    var children: [Int] = []
    var folders: [Int: Folder] = [:]
    init(_ number: Int) { self.number = number }
  }

  private struct Row {
    var number: Int
    var depth: Int
    var isOpen: Bool
  }

  private let source: NumberedFolders
  private var folders: [Int: Folder] = [:]
  private var rows: [Row] = []
  private let isOpen: Bool

  init(_ source: NumberedFolders, isOpen: Bool) {
    self.source = source
    self.isOpen = isOpen
    rows = subtree(of: 0, depth: 0, isOpen: isOpen)
  }

  private func folder(_ number: Int) -> Folder {
    if let known = folders[number] { return known }
    let folder = Folder(number)
    folder.children = source.children(of: number)
    folders[number] = folder
    return folder
  }

  private func subtree(of number: Int, depth: Int, isOpen: Bool) -> [Row] {
    var result: [Row] = []
    var waiting = folder(number).children.reversed().map { Row(number: $0, depth: depth, isOpen: isOpen) }
    while var row = waiting.popLast() {
      row.isOpen = row.isOpen && source.isFolder(row.number)
      result.append(row)
      guard row.isOpen else { continue }
      for child in folder(row.number).children.reversed() {
        waiting.append(Row(number: child, depth: row.depth + 1, isOpen: isOpen))
      }
    }
    return result
  }

  var rowCount: Int { rows.count }

  func draw(_ rows: Range<Int>) -> Int {
    rows.reduce(0) { $0 &+ self.rows[$1].number &+ (source.isFolder(self.rows[$1].number) ? 1 : 0) }
  }

  private func end(of row: Int) -> Int {
    var end = row + 1
    while end < rows.count, rows[end].depth > rows[row].depth { end += 1 }
    return end
  }

  func toggle(_ row: Int) {
    guard source.isFolder(rows[row].number) else { return }
    if rows[row].isOpen {
      rows.removeSubrange(row + 1..<end(of: row))
    } else {
      rows.insert(
        contentsOf: subtree(of: rows[row].number, depth: rows[row].depth + 1, isOpen: isOpen), at: row + 1)
    }
    rows[row].isOpen.toggle()
  }

  func reload(_ number: Int) {
    let folder = folder(number)
    let new = source.children(of: number)
    guard new != folder.children else { return }
    folder.children = new
    let row = number == 0 ? -1 : rows.firstIndex { $0.number == number }!
    let end = number == 0 ? rows.count : end(of: row)
    let depth = number == 0 ? 0 : rows[row].depth + 1
    rows.replaceSubrange(row + 1..<end, with: subtree(of: number, depth: depth, isOpen: isOpen))
  }
}
