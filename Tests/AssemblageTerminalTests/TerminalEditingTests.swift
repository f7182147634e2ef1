import AssemblageTerminal
import Testing

/// New names, new folders and deletions: the outline asks, and tells its owner.
@MainActor @Suite struct TerminalEditingTests {
  @Test func names() {
    let terminal = TestTerminal()
    terminal.press("R")
    #expect(terminal.screen.hasSuffix("\nname: music/" + String(repeating: " ", count: 14) + "Enter renames"))
    #expect(terminal.press("<back>s<enter>") == .name(.rename("music/"), "musics"))
    #expect(terminal.press("R<^u><enter>") == nil && terminal.press("R<esc>") == nil)
    #expect(terminal.press("+old<enter>") == .name(.newFolder(near: "music/", isInside: false), "old"))
    #expect(terminal.press("l+x y<enter>") == .name(.newFolder(near: "music/", isInside: true), "x y"))
    terminal.press("+")
    _ = terminal.outline.handle(.paste("pasted"))
    #expect(terminal.press("<enter>") == .name(.newFolder(near: "music/", isInside: true), "pasted"))
    #expect(TestTerminal([:]).press("+a<enter>") == .name(.newFolder(near: nil, isInside: false), "a"))
    #expect(TestTerminal([:]).press("Ra<enter>") == nil)
  }

  @Test func deletionsAreConfirmed() {
    let terminal = TestTerminal(columns: 70)
    #expect(terminal.press("D") == nil)
    #expect(terminal.screen.contains(" put music/ into the trash?  y yes · any other key: no"))
    #expect(terminal.press("<enter>") == nil)
    #expect(terminal.screen.contains("nothing is deleted"))
    #expect(terminal.press("<space><space>Dy") == .delete(["music/", "notes/"], .toTrash))
    // What was deleted is no longer marked, and the other marks remain.
    terminal.outline.unmark(["music/"])
    #expect(terminal.press("<enter>") == .choose(["notes/"], .path))
    terminal.outline.unmark(["notes/"])
    #expect(terminal.press("<enter>") == .choose(["todo.txt"], .path))
    terminal.outline.askToDeleteForGood(["notes/", "todo.txt"])
    #expect(terminal.screen.contains("there is no trash for 2 entries: delete for good?"))
    #expect(terminal.press("y") == .delete(["notes/", "todo.txt"], .forGood))
    #expect(TestTerminal([:]).press("Dy") == nil)
  }

  /// Marked rows may be hidden by a search or in a collapsed folder, and are deleted all the same.
  @Test func theQuestionSaysWhatIsDeleted() {
    let terminal = TestTerminal(columns: 90)
    terminal.press("l<down><space><up><up>h")
    #expect(terminal.current == "music/")
    terminal.press("D")
    #expect(terminal.screen.contains(" put b.mp3, which is hidden, into the trash?  y yes"))
    #expect(terminal.press("y") == .delete(["b.mp3"], .toTrash))
    terminal.press("G<space>D")
    #expect(terminal.screen.contains(" put 2 entries, 1 of them hidden, into the trash?"))
    #expect(terminal.press("y") == .delete(["todo.txt", "b.mp3"], .toTrash))
    terminal.outline.askToDeleteForGood(["b.mp3"])
    #expect(terminal.screen.contains(" there is no trash for b.mp3, which is hidden: delete for good?"))
    terminal.press("n/notes<^o>D")
    #expect(terminal.screen.contains(" put 2 entries, all of them hidden, into the trash?"))

    let long = TestTerminal(["": [String(repeating: "n", count: 200)]], columns: 70)
    long.press("D")
    #expect(long.screen.contains("nn… into the trash?  y yes · any other key: no"))
  }
}
