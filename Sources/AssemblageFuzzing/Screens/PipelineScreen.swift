import Assemblage
import AssemblageTesting
import AssemblageWidgets

/// A defect of all screens of a pipeline, for a test of the fuzzer.
package enum ScreenDefect: CaseIterable, Sendable {
  /// The widget is not notified of some of the stages.
  case forgottenStage
  /// A behavior receives the position in the node that the widget shows.
  case globalPosition
  /// The widget does not scroll with the row on top.
  case lostScrolling
}

/// A widget in memory on a node of a pipeline, with its coordinator and its user.
final class PipelineScreen {
  /// The kinds of widgets, with their coordinators.
  private enum Kind: CaseIterable {
    case list, sequentialList, sectionedList, sequentialSectionedList, outline
    case arrays, sectionedArrays, splices, items

    /// The widget in Swift code.
    var widgetCode: String {
      switch self {
      case .list, .sectionedList: "WidgetModel<PipelineRow>(.list)"
      case .sequentialList, .sequentialSectionedList: "WidgetModel<PipelineRow>(.sequentialList)"
      case .outline: "WidgetModel<PipelineRow>(.outline)"
      case .arrays, .sectionedArrays: "SectionWidget()"
      case .splices: "SpliceWidget()"
      case .items: "ItemWidget()"
      }
    }

    var coordinatorType: String {
      switch self {
      case .list, .sequentialList, .arrays, .splices: "ListCoordinator"
      case .sectionedList, .sequentialSectionedList, .sectionedArrays: "SectionedListCoordinator"
      case .outline, .items: "OutlineCoordinator"
      }
    }

    /// The length of the longest paths of a node that the widget shows.
    var depth: Int {
      switch self {
      case .list, .sequentialList, .arrays, .splices: 1
      case .sectionedList, .sequentialSectionedList, .sectionedArrays: 2
      case .outline, .items: .max
      }
    }

    func coordinator(_ node: any TreeNode<PipelineRow>, _ limit: Int?) -> WidgetCoordinator<PipelineRow> {
      switch self {
      case .list, .sequentialList, .arrays, .splices: ListCoordinator(node, reloadingAbove: limit)
      case .sectionedList, .sequentialSectionedList, .sectionedArrays:
        SectionedListCoordinator(node, reloadingAbove: limit)
      case .outline, .items: OutlineCoordinator(node, reloadingAbove: limit)
      }
    }

    /// Makes the widget of a coordinator.
    func widget(of coordinator: WidgetCoordinator<PipelineRow>, _ defect: ScreenDefect?) -> any ScreenWidget {
      func model(_ viewKind: ChangeSet.ViewKind) -> WidgetModel<PipelineRow> {
        let model = WidgetModel<PipelineRow>(viewKind)
        model.forgetsStages = defect == .forgottenStage
        model.ignoresScrolling = defect == .lostScrolling
        if let coordinator = coordinator as? ListWidgetCoordinator<PipelineRow> { model.follow(coordinator) }
        if let coordinator = coordinator as? OutlineCoordinator<PipelineRow> { model.follow(coordinator) }
        return model
      }
      func late(_ widget: LateWidget) -> LateWidget {
        if let coordinator = coordinator as? ListWidgetCoordinator<PipelineRow> { widget.follow(coordinator) }
        if let coordinator = coordinator as? OutlineCoordinator<PipelineRow> { widget.follow(coordinator) }
        return widget
      }
      return switch self {
      case .list, .sectionedList: model(.list)
      case .sequentialList, .sequentialSectionedList: model(.sequentialList)
      case .outline: model(.outline)
      case .arrays, .sectionedArrays: late(SectionWidget())
      case .splices: late(SpliceWidget())
      case .items: late(ItemWidget())
      }
    }
  }

  /// nil while the coordinator has no widget.
  private(set) var widget: (any ScreenWidget)?
  let coordinator: WidgetCoordinator<PipelineRow>
  let user: ScreenUser
  private let kind: Kind
  private let defect: ScreenDefect?
  private let limit: Int?

  /// Creates a screen whose coordinator has no widget yet.
  init(_ node: any TreeNode<PipelineRow>, _ user: ScreenUser, _ draw: inout PipelineDraw, _ defect: ScreenDefect?) {
    kind = Kind.allCases[draw.number(below: Kind.allCases.count)]
    limit = draw.chance(1, in: 4) ? draw.number(below: 4) : nil
    coordinator = kind.coordinator(node, limit)
    self.user = user
    self.defect = defect
  }

  /// Declares the coordinator in Swift code, and makes its widget.
  func begin(_ names: Names, node: String, _ code: PipelineCode?) {
    let limitCode = limit.map { ", reloadingAbove: \($0)" } ?? ""
    code?.declare(
      names.coordinator, type: "\(kind.coordinatorType)<PipelineRow>", "\(kind.coordinatorType)(\(node)\(limitCode))")
    let widgetType = kind.widgetCode.prefix { $0 != "(" }
    code?.declare(names.widget, type: String(widgetType), kind.widgetCode)
    attach(names, code)
  }

  private func attach(_ names: Names, _ code: PipelineCode?) {
    let widget = kind.widget(of: coordinator, defect)
    user.use(widget, of: coordinator)
    self.widget = widget
    code?.add("\(names.widget).follow(\(names.coordinator))")
    code?.add("\(names.user).use(\(names.widget), of: \(names.coordinator))")
  }

  /// The names of the objects in Swift code.
  struct Names {
    let user: String
    let coordinator: String
    let widget: String

    init(_ number: Int) {
      (user, coordinator, widget) = ("user\(number)", "coordinator\(number)", "widget\(number)")
    }

    var all: [String] { [user, coordinator, widget] }
  }

  // MARK: The user

  /// An action of the user on a row, which replaces a write of the program.
  enum Action {
    case delete
    case edit(PipelineRow)
    /// Moves the row into a parent, before one of its children. The parent and the position are the ones before the
    /// move.
    case move(IndexPath, Int)
  }

  /// An action of the user that is about to happen.
  struct Step {
    let run: () -> Void
    let code: String
  }

  /// Makes the step by which the user does the same as the program; nil where the widget does not show the row.
  ///
  /// - Parameters:
  ///   - action: the action on the row.
  ///   - path: the path of the row in the node.
  ///   - name: the coordinator's name in Swift code.
  ///   - check: receives whether the action was done, and the place that the behavior received.
  /// - Returns: the step.
  func step(
    _ action: Action, at path: IndexPath, name: String, check: @escaping (Bool, NodePlace?) -> Void
  ) -> Step? {
    guard path.count <= kind.depth, let shown = coordinator.widgetPath(of: path) else { return nil }
    user.wrongPosition = defect == .globalPosition ? path.last : nil
    // The question whether a row may move is no action. Another action may be under way.
    let former = user.place
    defer { user.place = former }
    let (run, code): (() -> Bool, String)
    switch action {
    case .delete:
      run = { [coordinator] in coordinator.delete(at: shown) }
      code = "delete(at: \(Array(shown)))"
    case .edit(let row):
      run = { [coordinator] in coordinator.edit(at: shown, to: row) }
      code = "edit(at: \(Array(shown)), to: \(row.code))"
    case .move(let parent, let position):
      guard parent.count < kind.depth, let parent = coordinator.widgetPath(of: parent),
        coordinator.isCurrent,
        // A full node that is there twice receives back the row that it gives away. `allows(_:at:)` cannot know that.
        coordinator.canMove(shown, into: parent, at: position)
      else { return nil }
      run = { [coordinator] in coordinator.move(shown, into: parent, at: position) }
      code = "move(\(Array(shown)), into: \(Array(parent)), at: \(position))"
    }
    return Step(
      run: { [user] in
        // Meanwhile, observers may make the user do other actions.
        let former = user.place
        user.place = nil
        let isDone = run()
        let place = user.place
        user.place = former
        check(isDone, place)
      }, code: "\(name).\(code)")
  }

  /// Makes the step by which the user expands or collapses a row; nil where the widget does not show the row.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the row is expanded after the step.
  ///   - path: the path of the row in the node.
  ///   - name: the coordinator's name in Swift code.
  ///   - check: receives whether the step was done.
  /// - Returns: the step.
  func step(expanding isExpanded: Bool, at path: IndexPath, name: String, check: @escaping (Bool) -> Void) -> Step? {
    guard let shown = coordinator.widgetPath(of: path) else { return nil }
    return Step(
      run: { [coordinator] in check(coordinator.setExpanded(isExpanded, at: shown)) },
      code: "\(name).setExpanded(\(isExpanded), at: \(Array(shown)))")
  }

  /// Uses the widget in another way: asks for rows, selects, scrolls, holds updates back, replaces the widget.
  ///
  /// - Returns: whether something was done.
  func use(_ names: Names, _ draw: inout PipelineDraw, _ code: PipelineCode?) -> Bool {
    let name = names.coordinator
    let action = draw.number(below: 13)
    guard let widget else {
      if user.isCalled { return false }
      code?.add("\(names.widget) = \(kind.widgetCode)")
      attach(names, code)
      return true
    }
    // A view that was never laid out has no row that the user could touch.
    if !widget.isLoaded || action == 12 {
      code?.add("_ = \(names.widget).paths")
      _ = widget.paths
      return true
    }
    let paths = widget.paths
    let path = paths.isEmpty ? nil : paths[draw.number(below: paths.count)]
    switch action {
    case 0:
      code?.add("\(names.user).setSuspending(\(!user.isSuspending))")
      user.setSuspending(!user.isSuspending)
    case 1:
      code?.add("\(name).reload()")
      coordinator.reload()
    case 2:
      let mode: SelectionMode = draw.chance(1, in: 2) ? .multiple : .single
      if draw.chance(1, in: 2) {
        code?.add("\(name).keepSelection(.\(mode))")
        coordinator.keepSelection(mode)
      } else {
        code?.add("\(name).keepSelection(.\(mode), id: \\.id)")
        coordinator.keepSelection(mode, id: \.id)
      }
    // During an update, the model could not distinguish the user's scrolling from the coordinator's.
    case 3 where path != nil && !user.isCalled:
      let offset = draw.chance(1, in: 2) ? 1 : -1
      code?.add(
        "\(names.widget).scrollPosition = WidgetScrollPosition(path: \(Array(path!)), offset: \(offset))")
      widget.scrollPosition = WidgetScrollPosition(path: path!, offset: Double(offset))
    case 4:
      code?.add("\(name).deselectAll()")
      coordinator.deselectAll()
    case 8:
      code?.add("\(names.widget).invalidate()")
      widget.invalidate()
    case 9:
      let keeping = [PositionKeeping.always, .unlessAtTop, .never][draw.number(below: 3)]
      code?.add("\(name).keepsPosition = .\(keeping)")
      coordinator.keepsPosition = keeping
    case 10 where !user.isCalled:
      code?.add("\(name).show(\(name).node)")
      coordinator.show(coordinator.node)
    case 11:
      code?.release(names.widget)
      self.widget = nil
    default:
      guard let path else { return false }
      let effect = [SelectionEffect.only, .adding, .extending, .toggling][draw.number(below: 4)]
      code?.add("\(name).select(at: \(Array(path)), .\(effect))")
      coordinator.select(at: path, effect)
    }
    return true
  }
}
