import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The drag between sections of Docs/Cookbook.md.
@MainActor @Suite struct CookbookDragGuideTests {
  @Test func aCardMovesToAColumnThatHasRoom() {
    struct ColumnBehavior: MovingBehavior {
      let limit: Int

      func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool {
        origin.node === place.node || place.node.count < limit
      }
    }

    let board = BranchNode([ArrayNode(["paint", "build", "plan"]), ArrayNode(["draw"])])
    let coordinator = SectionedListCoordinator(board)
    coordinator.behaviors = { _ in [ColumnBehavior(limit: 2)] }
    let table = WidgetModel<String>(.list)
    table.follow(coordinator)

    #expect(coordinator.canMove([0, 2], into: [1], at: 0) == true)
    #expect(coordinator.move([0, 2], into: [1], at: 0) == true)
    #expect(table.log.last == "moves [0, 2]→[1, 0]")
    #expect(coordinator.canMove([0, 0], into: [1], at: 2) == false)
    #expect(coordinator.move([0, 0], into: [0], at: 2) == true)
    board.move(from: [1, 1], to: [0, 0])
    #expect(board.child(at: 0)?.elements == ["draw", "build", "paint"])
    #expect(board.child(at: 1)?.elements == ["plan"])
  }
}
