import TestSupport
import Testing

@Suite struct GuideCodeTests {
  @Test func resultsAreExpectationsAndCommentsSayNothing() {
    let fence = "```"
    let guide = GuideCode(
      """
      Text with `code`.
      \(fence)swift
      let a = [1,  2]   // two of them
      a.count           // → 2
      \(fence)
      \(fence)objc
      [a count];
      \(fence)
      \(fence)swift
      // Not compiled here.
      import UIKit
      \(fence)
      \(fence)swift
      let b = 3
      \(fence)
      """)
    #expect(guide.blocks == ["leta=[1,2]#expect(a.count==2)", "letb=3"] && guide.resultCount == 1)
    #expect(guide.blocks(missingIn: "  let a = [1, 2]  // two\n  #expect(a.count == 2)\n let b=3\n").isEmpty)
    #expect(guide.blocks(missingIn: "let a = [1, 2]\n #expect(a.count == 3); let b = 3") == [guide.blocks[0]])
  }

  @Test(arguments: GuideCode.guides) func everyBlockOfEveryGuideIsCompiledAndRun(guide: String) throws {
    let guide = GuideCode(try GuideCode.text(of: guide))
    #expect(guide.blocks(missingIn: try GuideCode.tests()) == [])
  }

  @Test func guidesAreFound() throws {
    #expect(GuideCode.guides.contains("Docs/Trees.md"))
    #expect(GuideCode.guides.contains("Sources/OffsetIndexing/OffsetIndexing.docc/InsideTreeIndex.md"))
    #expect(!GuideCode.guides.contains { $0.hasPrefix("Docs/Decisions/") })
    #expect(try GuideCode.guides.count { try !GuideCode(GuideCode.text(of: $0)).blocks.isEmpty } >= 18)
  }

  @Test func filesOfTheRepositoryAreFound() throws {
    #expect(try GuideCode.text(of: "README.md").hasPrefix("# Assemblage"))
    #expect(throws: (any Error).self) { try GuideCode.text(of: "nowhere.md") }
  }
}
