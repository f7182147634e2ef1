import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation

/// A file or a folder on a disk.
struct ProjectFile: Equatable {
  /// The number in the file system. It stays the same when the file gets another name or another folder.
  let id: UInt64
  var url: URL
  var isFolder: Bool

  /// Reads the attributes of a file.
  init(_ url: URL) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    id = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
    self.url = url
  }

  var name: String { url.lastPathComponent }

  /// The files in a folder, by name; none where the folder cannot be read.
  static func files(in folder: ProjectFile) -> [ProjectFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { try? ProjectFile(folder.url.appending(path: $0)) }
  }
}

/// The files of a project as an outline that can be searched, in which files are renamed and moved.
final class ProjectNavigator {
  /// The files. A folder is read when its children are first needed.
  let tree: HierarchyNode<ProjectFile>
  /// The visible rows.
  let outline: OutlineNode<ProjectFile, UInt64>
  /// The widget.
  let table = WidgetModel<ProjectFile>(.list)
  /// Connects the rows with the widget, and has the selection.
  let coordinator: ListCoordinator<ProjectFile>

  /// The tree while the search field is empty, and otherwise the filter.
  private let shown: SegmentNode<ProjectFile>
  private var found: TreeFilterNode<ProjectFile>?
  private let settings: URL

  /// Opens a project.
  ///
  /// - Parameters:
  ///   - folder: the top folder.
  ///   - settings: the file of the expanded folders.
  ///   - files: reads a folder.
  /// - Throws: an error where the top folder cannot be read.
  init(_ folder: URL, settings: URL, files: @escaping (ProjectFile) -> [ProjectFile] = ProjectFile.files) throws {
    self.settings = settings
    tree = HierarchyNode(try ProjectFile(folder), id: \.id, hasChildren: \.isFolder, children: files)
    shown = SegmentNode([tree], selection: 0)
    let saved = (try? Data(contentsOf: settings)).flatMap {
      try? JSONDecoder().decode(ExpansionState<UInt64>.self, from: $0)
    }
    outline = OutlineNode(shown, expansion: saved ?? ExpansionState(), id: \.id)
    coordinator = ListCoordinator(outline)
    coordinator.keepSelection(id: \.id)
    table.follow(coordinator)
  }

  // MARK: Actions of the user

  /// The user clicks the triangle of a folder. During a search, the choice is not saved.
  func toggle(row: Int) throws {
    outline.toggle(row: row)
    if search.isEmpty { try JSONEncoder().encode(outline.expansion).write(to: settings) }
  }

  /// The user gives a file another name.
  func rename(row: Int, to name: String) throws {
    let url = outline[row].url
    try FileManager.default.moveItem(at: url, to: url.deletingLastPathComponent().appending(path: name))
    tree.reload()
  }

  /// Whether the user may drop a row on another row, or below all rows.
  ///
  /// The target must be a folder. It must not be the row itself, a descendant of the row, or the present parent of the
  /// row.
  func canDrop(_ row: Int, on target: Int?) -> Bool {
    let (file, folder) = (outline[row], folder(target))
    let isInside = target.map { $0 == row || outline.descendants(ofRow: row).contains($0) } ?? false
    return folder.isFolder && !isInside && file.url.deletingLastPathComponent().path != folder.url.path
  }

  /// The user drops a row on another row, or below all rows.
  func drop(_ row: Int, on target: Int?) throws {
    guard canDrop(row, on: target) else { return }
    let file = outline[row]
    try FileManager.default.moveItem(at: file.url, to: folder(target).url.appending(path: file.name))
    tree.reload()
  }

  private func folder(_ row: Int?) -> ProjectFile { row.map { outline[$0] } ?? tree.value! }

  // MARK: Search

  /// The text of the search field, which is set at every key press.
  var search = "" {
    didSet {
      let text = search.lowercased()
      let matches = { (file: ProjectFile) in file.name.lowercased().contains(text) }
      if let found, !text.isEmpty { return found.setPredicate(where: matches) }
      outline.performUpdates {
        if text.isEmpty {
          outline.endTemporaryExpansion()
          shown.replaceMember(at: 0, with: tree)
          found = nil
        } else {
          found = TreeFilterNode(tree, where: matches)
          shown.replaceMember(at: 0, with: found!)
          outline.beginTemporaryExpansion()
        }
      }
    }
  }

  // MARK: Rows

  /// The table as text: a star for a selected row, and a triangle for a folder.
  var lines: [String] {
    let selection = Set(table.selectedPaths)
    return table.paths.compactMap { path in
      coordinator.nodePath(of: path)?.first.map { line(ofRow: $0, isSelected: selection.contains(path)) }
    }
  }

  private func line(ofRow position: Int, isSelected: Bool) -> String {
    let row = outline.row(at: position)
    guard let file = row.value else { return "" }
    let triangle = file.isFolder ? (row.isExpanded ? "▾ " : "▸ ") : ""
    return String(repeating: "  ", count: row.depth) + (isSelected ? "* " : "") + triangle + file.name
  }
}
