import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Testing

/// The code of Docs/ComingFromIGListKit.md.
@MainActor @Suite struct ComingFromIGListKitGuideTests {
  enum Row: Equatable { case title(String), comment(String), spinner }

  @MainActor final class Post {
    let comments = ArrayNode<Row>()
    let section: JoinNode<Row>
    init(_ title: String) { section = JoinNode<Row>([SingleNode(.title(title)), comments]) }
  }

  @MainActor final class Feed {
    let posts = BranchNode<Row>()
    let coordinator: SectionedListCoordinator<Row>
    init() { coordinator = SectionedListCoordinator(JoinNode<Row>([posts, BranchNode([SingleNode(Row.spinner)])])) }
  }

  @Test func aPostChangesWithoutTheFeed() {
    let (feed, post) = (Feed(), Post("Hello"))
    let view = WidgetModel<Row>(.list)
    view.follow(feed.coordinator)
    feed.posts.append(post.section)
    post.comments.append(.comment("Welcome"))
    #expect(view.element(at: [0, 1]) == .comment("Welcome"))
    #expect(view.log == ["reload", "inserts [0]", "inserts [0, 1]"])
    #expect(view.element(at: [1, 0]) == .spinner)
    #expect(feed.coordinator.node.path(of: post.section) == [0])
  }
}
