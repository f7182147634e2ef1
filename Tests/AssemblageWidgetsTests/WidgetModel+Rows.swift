import AssemblageTesting
import Foundation

extension WidgetModel {
  /// The rows of a list, by section.
  var rows: [[Element?]] {
    (0..<shownCount(at: [])!).map { section in
      (0..<shownCount(at: [section])!).map { element(at: [section, $0]) }
    }
  }
}
