// Has not been compiled with AppKit, which Linux lacks: see Docs/Adapters.md.
#if canImport(AppKit)
  import AppKit
  import Assemblage
  import AssemblageWidgets
  import Foundation

  // What tables and outlines have in common.
  @MainActor
  extension NSTableView {
    /// A view that shows an element; nil where there is none.
    func view<Element>(for element: Element?, by cells: CellFactory<Element, NSView>) -> NSView? {
      guard let template = element.map(cells.template),
        let view = makeView(withIdentifier: NSUserInterfaceItemIdentifier(template.reuseIdentifier), owner: nil)
      else { return nil }
      template.configure(view)
      return view
    }

    var firstVisibleRow: Int? {
      let rows = rows(in: visibleRect)
      return rows.length > 0 ? rows.location : nil
    }

    func offset(ofRow row: Int) -> Double { Double(rect(ofRow: row).minY - visibleRect.minY) }

    func scroll(toRow row: Int, offset: Double) {
      scroll(CGPoint(x: visibleRect.minX, y: rect(ofRow: row).minY - CGFloat(offset)))
    }
  }

  @MainActor
  extension WidgetCoordinator {
    /// Selects rows for the user, and deselects others, if no behavior refuses.
    func propose(_ rows: IndexSet, insteadOf former: IndexSet, _ path: (Int) -> IndexPath?) -> IndexSet {
      selection.performEdits {
        for path in former.subtracting(rows).compactMap(path) { deselect(at: path) }
        for path in rows.subtracting(former).compactMap(path) { select(at: path, .adding) }
      }
      return rows.union(former).filteredIndexSet { path($0).map { isSelected(at: $0) } ?? false }
    }
  }

  extension NSPasteboard.PasteboardType {
    /// A row of a coordinator. The adapter knows which: nothing else is dragged into its view.
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
