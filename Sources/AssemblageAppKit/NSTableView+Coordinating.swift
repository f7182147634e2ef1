// Has not been compiled with AppKit, which Linux lacks: see Docs/ShowingANode.md. On Mac Catalyst, AppKit can be
// imported, but has no views.
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import Assemblage
  import AssemblageWidgets
  import Foundation

  // Helpers for tables and outlines.
  @MainActor
  extension NSTableView {
    /// A view that shows an element; nil if there is no element.
    func view<Element>(for element: Element?, by cells: CellFactory<Element, NSView>) -> NSView? {
      guard let template = element.map(cells.template) else { return nil }
      let identifier = NSUserInterfaceItemIdentifier(template.reuseIdentifier)
      let kind = cells.kinds.first { $0.reuseIdentifier == template.reuseIdentifier }
      guard let view = makeView(withIdentifier: identifier, owner: nil) ?? kind.flatMap({ makeView($0, identifier) })
      else { return nil }
      template.configure(view)
      return view
    }

    /// The first view of a kind. The table uses it again for other rows, because it has the identifier.
    private func makeView(_ kind: CellKind<NSView>, _ identifier: NSUserInterfaceItemIdentifier) -> NSView? {
      switch kind.origin {
      case .class:
        let view = kind.type.init(frame: .zero)
        view.identifier = identifier
        return view
      case .nib:
        register(NSNib(nibNamed: kind.nibName, bundle: Bundle(for: kind.type)), forIdentifier: identifier)
        return makeView(withIdentifier: identifier, owner: nil)
      }
    }

    var firstVisibleRow: Int? {
      let rows = rows(in: visibleRect)
      return rows.length > 0 ? rows.location : nil
    }

    func offset(ofRow row: Int) -> Double { Double(rect(ofRow: row).minY - visibleRect.minY) }

    func scroll(toRow row: Int, offset: Double) {
      let edge = rect(ofRow: row).minY - CGFloat(offset)
      if edge != visibleRect.minY { scroll(CGPoint(x: visibleRect.minX, y: edge)) }
    }
  }

  @MainActor
  extension WidgetCoordinator {
    /// The rows that may be selected when the user selects `rows` instead of `former`. A new row is included only if no
    /// behavior refuses its selection. A former row is left out only if no behavior refuses its deselection. This
    /// method selects no row.
    func proposal(_ rows: IndexSet, insteadOf former: IndexSet, _ path: (Int) -> IndexPath?) -> IndexSet {
      let coming = rows.subtracting(former).filteredIndexSet { path($0).map { canSelect(at: $0) } ?? false }
      let staying = former.subtracting(rows).filteredIndexSet { path($0).map { !canDeselect(at: $0) } ?? false }
      return coming.union(staying).union(rows.intersection(former))
    }

    /// Selects for the user the rows that a view shows as selected, and deselects the other rows that the view shows.
    func takeSelection(_ rows: IndexSet, path: (Int) -> IndexPath?, row: (IndexPath) -> Int?) {
      let leaving = selectedPaths.filter { path in row(path).map { !rows.contains($0) } ?? false }
      let coming = rows.compactMap(path).filter { !isSelected(at: $0) }
      // A behavior may change nodes. Until the end, the paths stay those that the view shows.
      suspend()
      defer { resume() }
      select(coming, deselecting: leaving)
    }
  }

  extension NSPasteboard.PasteboardType {
    /// A row of a coordinator. The type has no data: the adapter knows the dragged rows, and accepts no other rows.
    static let draggedRow = NSPasteboard.PasteboardType("assemblage.row")
  }

  extension NSPasteboardItem {
    static var draggedRow: NSPasteboardItem {
      let item = NSPasteboardItem()
      item.setString("", forType: .draggedRow)
      return item
    }
  }
#endif
