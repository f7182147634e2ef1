import Assemblage
import AssemblageTesting

/// The model of a node with a setting that can change in the background.
protocol BackgroundModel: NodeModel {
  /// The type of the setting in the model: a predicate, a comparator or a key.
  associatedtype Setting

  /// The setting whose rows the node shows.
  var shownSetting: Setting { get set }

  /// The setting that was given last, if the node does not show its rows yet.
  var latest: LatestSetting<Setting> { get set }

  /// The ways to change the setting in the background.
  static var backgroundEdits: [NodeBackgroundEdit<Self>] { get }
}

/// The setting that was given last.
struct LatestSetting<Setting> {
  /// The setting; nil as soon as its rows are shown, or its work is given up.
  var value: Setting?
  /// A number that differs between settings. Each setting replaces the setting with the number before.
  var number = 0
}

extension BackgroundModel {
  /// Adopts another setting, whose rows the node shows at once.
  mutating func show(_ setting: Setting) {
    shownSetting = setting
    latest = LatestSetting(number: latest.number + 1)
  }

  /// Returns this model after a rollback to it. Background work that another setting superseded meanwhile stays
  /// superseded.
  ///
  /// - Parameter later: the model before the rollback.
  /// - Returns: the model.
  func restored(from later: any NodeModel) -> any NodeModel {
    var model = self
    if let later = later as? Self, later.latest.number > latest.number {
      model.latest = LatestSetting(number: later.latest.number)
    }
    return model
  }

  static func plannedWork(_ specimen: Specimen, _ name: String, _ draw: inout PipelineDraw) -> PlannedWork? {
    guard let edit = backgroundEdits.first(where: { $0.name == name }), var model = specimen.model as? Self,
      let node = specimen.node as? Node, let work = edit.plan(model, &draw)
    else { return nil }
    let number = model.latest.number + 1
    model.latest = LatestSetting(value: work.setting, number: number)
    func changed(_ model: any NodeModel, _ body: (inout Self) -> Void) -> any NodeModel {
      guard var changed = model as? Self else { return model }
      body(&changed)
      return changed
    }
    return PlannedWork(
      begun: model,
      shown: {
        changed($0) { model in
          model.shownSetting = work.setting
          model.latest.value = nil
        }
      },
      givenUp: { changed($0) { $0.latest.value = nil } },
      isLatest: { ($0 as? Self)?.latest.number == number },
      code: "(node: \(typeCode)) in try await node.\(work.code)",
      begin: { $0.begin(node, work.run) })
  }
}

/// A kind of setting that a fuzzer changes in the background on nodes of one kind.
struct NodeBackgroundEdit<Model: BackgroundModel> {
  /// The name, unique in its kind.
  let name: String
  let plan: (Model, inout PipelineDraw) -> NodeWork<Model>?

  init(_ name: String, plan: @escaping (Model, inout PipelineDraw) -> NodeWork<Model>?) {
    self.name = name
    self.plan = plan
  }
}

/// A drawn setting, and the call that gives the setting to the node.
struct NodeWork<Model: BackgroundModel> {
  let setting: Model.Setting
  /// The call in Swift code, without the node.
  let code: String
  let run: (Model.Node) async throws -> Void
}

/// Background work, with the models before, after and without it.
struct PlannedWork {
  /// The model after the work has begun.
  let begun: any NodeModel
  /// The model after the rows of the work's setting are shown.
  let shown: (any NodeModel) -> any NodeModel
  /// The model after the work has been given up.
  let givenUp: (any NodeModel) -> any NodeModel
  /// Whether no other setting has replaced the setting of the work.
  let isLatest: (any NodeModel) -> Bool
  /// The body of the work's closure in Swift code.
  let code: String
  let begin: (StepScheduler) -> StepTask
}
