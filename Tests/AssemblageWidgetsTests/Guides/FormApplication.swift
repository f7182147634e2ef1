import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation

/// The model: an order, as it is stored.
struct Order: Equatable {
  var name = ""
  var street = ""
  var isGift = "no"
  var recipient = ""
  var card = "Enjoy!"
}

/// A section of the form, or one of its fields.
struct FormItem {
  var title: String
  /// The property of the order; nil in a section.
  var property: WritableKeyPath<Order, String>?
  /// The text that the user edits.
  var text = ""
  /// The text that was saved last.
  var saved = ""
  /// Whether the item is part of the form at present.
  var isVisible = true
  /// Says whether a text is valid.
  var check: (String) -> Bool = { _ in true }
  /// Says whether the item is part of the form, by the present order.
  var condition: (Order) -> Bool = { _ in true }

  var isValid: Bool { check(text) }
  var isChanged: Bool { text != saved }
}

/// Lets the user edit the fields of a section.
struct FieldBehavior: EditingBehavior {}

/// A form with sections, fields that depend on others, and a button that saves the order.
final class FormApplication {
  /// The order as it was last saved.
  private(set) var order: Order
  /// All sections and fields.
  let form: BranchNode<FormItem>
  /// All sections and fields, as one list.
  private let items: DescendantsNode<FormItem>
  /// The sections and fields that are part of the form at present.
  let visible: TreeFilterNode<FormItem>
  /// The number of changed fields, and of visible fields with an invalid text, for the form and for each section.
  let (changed, invalid): (AggregateIndex<FormItem, Int>, AggregateIndex<FormItem, Int>)
  /// The widget.
  let table = WidgetModel<FormItem>(.list)
  /// The user's actions on fields go through the coordinator.
  let coordinator: SectionedListCoordinator<FormItem>
  /// Whether the button can be pressed; a real form sets the button's property.
  private(set) var isSaveEnabled = false
  private var tokens: [NodeObservation] = []

  init(_ order: Order) {
    self.order = order
    form = Self.form
    items = DescendantsNode(form)
    visible = TreeFilterNode(form, policy: .hidingSubtrees, where: \.isVisible)
    changed = AggregateIndex(of: form, .sum { $0.isChanged ? 1 : 0 })
    invalid = AggregateIndex(of: visible, .sum { $0.isValid ? 0 : 1 })
    coordinator = SectionedListCoordinator(visible)
    coordinator.behaviors = { $0.value is FormItem ? [FieldBehavior()] : [] }
    tokens = [
      changed.observe { [unowned self] _ in enableSaving() },
      invalid.observe { [unowned self] _ in enableSaving() },
    ]
    for position in items.indices {
      guard let property = items[position].property else { continue }
      update(position) {
        $0.saved = order[keyPath: property]
        $0.text = $0.saved
      }
    }
    showItems()
    table.follow(coordinator)
  }

  /// The sections and fields, in order. Another form is another list here.
  private static var form: BranchNode<FormItem> {
    let isFilled = { (text: String) in !text.isEmpty }
    let isGift = { (order: Order) in order.isGift == "yes" }
    return BranchNode([
      BranchNode(
        value: FormItem(title: "Order"),
        leaves: [
          FormItem(title: "name", property: \.name, check: isFilled),
          FormItem(title: "street", property: \.street, check: isFilled),
          FormItem(title: "gift", property: \.isGift, check: { ["yes", "no"].contains($0) }),
        ]),
      BranchNode(
        value: FormItem(title: "Gift", condition: isGift),
        leaves: [
          FormItem(title: "for", property: \.recipient, check: isFilled),
          FormItem(title: "card", property: \.card),
        ]),
    ])
  }

  // MARK: Actions of the user

  /// The user enters a text in a field.
  func enter(_ text: String, at path: IndexPath) {
    form.performUpdates {
      coordinator.edit(at: path) { $0.text = text }
      showItems()
    }
  }

  /// The user presses the button.
  func save() {
    guard isSaveEnabled else { return }
    order = draft
    form.performUpdates {
      for position in items.indices where items[position].isChanged { update(position) { $0.saved = $0.text } }
    }
  }

  // MARK: Items

  /// The order with the texts of the form.
  private var draft: Order {
    items.reduce(into: order) { draft, item in
      if let property = item.property { draft[keyPath: property] = item.text }
    }
  }

  /// Shows and hides items by the present texts.
  private func showItems() {
    let draft = draft
    for position in items.indices where items[position].isVisible != items[position].condition(draft) {
      update(position) { $0.isVisible.toggle() }
    }
  }

  private func update(_ position: Int, _ change: (inout FormItem) -> Void) {
    var item = items[position]
    change(&item)
    items.replace(at: position, with: item)
  }

  private func enableSaving() { isSaveEnabled = changed.total > 0 && invalid.total == 0 }

  // MARK: Rows

  /// The table as text: a star behind a title for a change, and an exclamation mark for an invalid text.
  var lines: [String] {
    table.paths.compactMap { path in
      guard let path = coordinator.nodePath(of: path), let item = visible.element(at: path),
        let place = visible.sourcePath(of: path)
      else { return nil }
      let title = item.title + (changed.total(at: place) > 0 ? "*" : "")
      let text = item.property == nil ? "[\(title)]" : item.text.isEmpty ? "\(title):" : "\(title): \(item.text)"
      return text + (invalid.total(at: path) > 0 ? " !" : "")
    }
  }
}
