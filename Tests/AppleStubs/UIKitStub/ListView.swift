public import Foundation

/// A cell of a table or a collection view.
@MainActor protocol ListCell: UIView {
  nonisolated init()
  var text: String { get }
  var reuseIdentifier: String? { get set }
}

/// The base class of tables and collection views. The real classes have no common base class.
open class ListView: UIScrollView {
  var contents = ListContents()
  var cellClasses: [String: any ListCell.Type] = [:]
  private var isLoading = false
  /// Whether the view asks a question, for example which row may be selected. The data source must not change
  /// meanwhile.
  private(set) var isAsking = false
  /// The row whose cell is configured again.
  private var reconfigured: IndexPath?
  public private(set) var reloadCount = 0

  public var dragInteractionEnabled = false
  public var isEditing = false
  public var allowsMultipleSelection = false
  public var allowsMultipleSelectionDuringEditing = false

  /// The number of rows of a section; for nil, the number of sections. The view asks its data source.
  func count(_ section: Int?) -> Int { 0 }

  /// The cell of a row; nil without a data source.
  func cell(at path: IndexPath) -> UIView? { nil }

  /// Notifies the delegate of a new cell.
  func display(_ cell: UIView?, at path: IndexPath) {}

  /// Whether the view has a delegate and a data source.
  var isComplete: Bool { false }

  /// Whether a tap selects one row in addition to others.
  var selectsSeveral: Bool { isEditing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection }

  public var numberOfSections: Int {
    load()
    return contents.sections.count
  }

  func numberOfRows(_ section: Int) -> Int {
    load()
    return contents.sections.indices.contains(section) ? contents.sections[section].count : 0
  }

  func load() {
    // A data source that asks the view in turn gets no counts.
    if !contents.isInvalid || isLoading { return }
    isLoading = true
    contents.load((0..<count(nil)).map { count($0) })
    isLoading = false
  }

  func ask<Answer>(_ question: () -> Answer) -> Answer {
    isAsking = true
    defer { isAsking = false }
    return question()
  }

  func checkNoQuestion(_ sentence: String) { precondition(!isAsking, "\(sentence) while the view asks a question") }

  public func reloadData() {
    checkNoQuestion("the data source changes")
    reloadCount += 1
    contents.invalidate()
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    checkNoQuestion("the data source changes")
    load()
    contents.begin()
    updates?()
    contents.end(count)
    layoutIfNeeded()
  }

  /// The texts of the cells, as they were configured.
  public var texts: [[String]] {
    layoutIfNeeded()
    return contents.sections.map { $0.map { ($0.cell as? any ListCell)?.text ?? "" } }
  }

  public override func layoutIfNeeded() {
    load()
    guard isComplete else { return }
    for path in contents.paths where contents[path].cell == nil {
      let cell = cell(at: path)
      contents[path].cell = cell
      display(cell, at: path)
    }
  }

  /// Configures the cells of rows again. By the documentation, the data source has to return the same cell.
  func reconfigure(_ paths: [IndexPath]) {
    precondition(!contents.isUpdating, "rows are configured in the middle of a batch")
    for path in paths {
      guard let former = contents[path].cell else { continue }
      reconfigured = path
      precondition(cell(at: path) === former, "another cell for a row that is reconfigured")
      reconfigured = nil
    }
  }

  func shownCell(at path: IndexPath) -> UIView? { contents.contains(path) ? contents[path].cell : nil }

  /// A cell of a class: the cell of the row, if the row is configured again; otherwise a new cell.
  func dequeueCell(_ identifier: String, for path: IndexPath) -> any ListCell {
    if reconfigured == path, let cell = shownCell(at: path) as? any ListCell, cell.reuseIdentifier == identifier {
      return cell
    }
    guard let cellClass = cellClasses[identifier] else {
      preconditionFailure("no cell is registered for \(identifier)")
    }
    let cell = cellClass.init()
    cell.reuseIdentifier = identifier
    return cell
  }

  public override var contentSize: CGSize {
    load()
    return CGSize(width: 100, height: 10 * contents.paths.count)
  }

  func frame(of path: IndexPath) -> CGRect { CGRect(x: 0, y: contents.top(of: path), width: 100, height: 10) }

  func path(at point: CGPoint) -> IndexPath? {
    load()
    return contents.paths.first { frame(of: $0).contains(point) }
  }

  var visiblePaths: [IndexPath] {
    layoutIfNeeded()
    return contents.paths.filter {
      frame(of: $0).maxY > contentOffset.y && frame(of: $0).minY < contentOffset.y + 50
    }
  }

  func setSelected(_ isSelected: Bool, _ path: IndexPath?) {
    checkNoQuestion("the selection changes")
    if let path { contents[path].isSelected = isSelected }
  }
}
