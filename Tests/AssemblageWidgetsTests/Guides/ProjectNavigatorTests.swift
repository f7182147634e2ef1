import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The project part of Docs/Applications.md, and the screens that a user of the navigator sees.
@Suite final class ProjectNavigatorTests {
  private let disk = FileManager.default.temporaryDirectory.appending(path: "navigator-\(UUID().uuidString)")
  private let settings: URL
  private let project: URL

  init() throws {
    settings = disk.appending(path: "expansion.json")
    project = disk.appending(path: "project")
    try write("Docs/Guide.md", "README.md", "Sources/App/Main.swift", "Sources/App/View.swift", "Sources/Kit/Kit.swift")
  }

  deinit { try? FileManager.default.removeItem(at: disk) }

  private func write(_ paths: String...) throws {
    for path in paths {
      let url = project.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  private func paths() -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: project.path)) ?? []
    return names.filter { $0.contains(".") }.sorted()
  }

  @Test func theGuide() throws {
    var read: [String] = []
    let app = try ProjectNavigator(project, settings: settings) { folder in
      read.append(folder.name)
      return ProjectFile.files(in: folder)
    }
    expectScreen(
      app.lines,
      """
      ▸ Docs
      README.md
      ▸ Sources
      """)
    try app.toggle(row: 2)
    try app.toggle(row: 3)
    app.coordinator.select(at: [0, 5])
    expectScreen(
      app.lines,
      """
      ▸ Docs
      README.md
      ▾ Sources
        ▾ App
          Main.swift
          * View.swift
        ▸ Kit
      """)
    #expect(read == ["project", "Sources", "App"])

    app.search = "k"
    app.search = "ki"
    expectScreen(
      app.lines,
      """
      ▾ Sources
        ▾ Kit
          Kit.swift
      """)
    #expect(read == ["project", "Sources", "App", "Kit", "Docs"])
    app.search = ""

    try app.rename(row: 3, to: "Program")
    expectScreen(
      app.lines,
      """
      ▸ Docs
      README.md
      ▾ Sources
        ▸ Kit
        ▾ Program
          Main.swift
          * View.swift
      """)
    #expect(
      app.table.log.suffix(2) == ["moves [0, 6]→[0, 3]; reloads [0, 3], [0, 4], [0, 5]", "reloads [0, 3]"])

    #expect(app.canDrop(2, on: 4) == false)
    try app.drop(4, on: 0)
    try app.toggle(row: 0)
    expectScreen(
      app.lines,
      """
      ▾ Docs
        Guide.md
        ▾ Program
          Main.swift
          * View.swift
      README.md
      ▾ Sources
        ▸ Kit
      """)

    let next = try ProjectNavigator(project, settings: settings)
    expectScreen(
      next.lines,
      """
      ▾ Docs
        Guide.md
        ▾ Program
          Main.swift
          View.swift
      README.md
      ▾ Sources
        ▸ Kit
      """)
  }

  @Test func aFolderIsReadWhenTheUserExpandsIt() throws {
    var read: [String] = []
    let app = try ProjectNavigator(project, settings: settings) { folder in
      read.append(folder.name)
      return ProjectFile.files(in: folder)
    }
    app.search = ""
    try app.rename(row: 1, to: "READ.md")
    #expect(read == ["project", "project"])
    try app.toggle(row: 0)
    try app.drop(1, on: nil)
    #expect(read == ["project", "project", "Docs", "project", "Docs"])
    #expect(app.lines == ["▾ Docs", "Guide.md", "READ.md", "▸ Sources"])
  }

  @Test func aReloadAfterASearchReadsAllFolders() throws {
    var read: [String] = []
    let app = try ProjectNavigator(project, settings: settings) { folder in
      read.append(folder.name)
      return ProjectFile.files(in: folder)
    }
    app.search = "x"
    app.search = ""
    read = []
    app.tree.reload()
    #expect(read.sorted() == ["App", "Docs", "Kit", "Sources", "project"])
  }

  @Test func aSavedExpansionReadsTheExpandedFolders() throws {
    let app = try ProjectNavigator(project, settings: settings)
    try app.toggle(row: 2)
    try app.toggle(row: 3)
    try app.toggle(row: 2)
    var read: [String] = []
    let next = try ProjectNavigator(project, settings: settings) { folder in
      read.append(folder.name)
      return ProjectFile.files(in: folder)
    }
    #expect(next.lines == ["▸ Docs", "README.md", "▸ Sources"] && read == ["project"])
    try next.toggle(row: 2)
    #expect(next.lines.suffix(3) == ["    Main.swift", "    View.swift", "  ▸ Kit"])
    #expect(read == ["project", "Sources", "App"])
  }

  @Test func aSettingsFileThatCannotBeReadCollapsesAllFolders() throws {
    try Data("nothing".utf8).write(to: settings)
    let app = try ProjectNavigator(project, settings: settings)
    #expect(app.lines == ["▸ Docs", "README.md", "▸ Sources"])
  }

  @Test func aSearchDoesNotChangeTheSavedExpansion() throws {
    let app = try ProjectNavigator(project, settings: settings)
    try app.toggle(row: 0)
    app.search = "swift"
    try app.toggle(row: 0)
    #expect(app.lines == ["▸ Sources"])
    app.search = ""
    #expect(app.lines == ["▾ Docs", "  Guide.md", "README.md", "▸ Sources"])
    #expect(try ProjectNavigator(project, settings: settings).lines == app.lines)
  }

  @Test func eachKeySearchesAgain() throws {
    let app = try ProjectNavigator(project, settings: settings)
    let keys = [
      ("k", ["▾ Sources", "  ▾ Kit", "    Kit.swift"]), ("kit.", ["▾ Sources", "  ▾ Kit", "    Kit.swift"]),
      ("kit.m", []), ("m", ["▾ Docs", "  Guide.md", "README.md", "▾ Sources", "  ▾ App", "    Main.swift"]),
      ("DOC", ["▾ Docs"]), ("", ["▸ Docs", "README.md", "▸ Sources"]),
    ]
    for (text, lines) in keys {
      app.search = text
      #expect(app.lines == lines)
    }
  }

  @Test func anEmptyFolderIsStillAFolder() throws {
    let app = try ProjectNavigator(project, settings: settings)
    try app.toggle(row: 0)
    try app.drop(1, on: nil)
    #expect(app.lines == ["▾ Docs", "Guide.md", "README.md", "▸ Sources"])
    try app.toggle(row: 0)
    #expect(app.lines == ["▸ Docs", "Guide.md", "README.md", "▸ Sources"])
    try app.toggle(row: 0)
    try app.drop(2, on: 0)
    #expect(app.lines == ["▾ Docs", "  README.md", "Guide.md", "▸ Sources"])
  }

  @Test func someDropsAreRefused() throws {
    let app = try ProjectNavigator(project, settings: settings)
    try app.toggle(row: 2)
    try app.toggle(row: 3)
    // On a file, on itself, into itself, and into the folder that contains it.
    for (row, target) in [(0, 1), (2, 2), (2, 3), (4, 3), (3, 2)] {
      #expect(!app.canDrop(row, on: target))
      try app.drop(row, on: target)
    }
    #expect(!app.canDrop(0, on: nil) && app.canDrop(3, on: nil) && app.canDrop(4, on: 6))
    #expect(paths().count == 5)
  }

  @Test func aFailureOfTheDiskChangesNoRow() throws {
    let app = try ProjectNavigator(project, settings: settings)
    let lines = app.lines
    #expect(throws: (any Error).self) { try app.rename(row: 0, to: "Sources") }
    try write("Docs/README.md")
    #expect(throws: (any Error).self) { try app.drop(1, on: 0) }
    #expect(app.lines == lines && paths().contains("README.md"))
  }

  @Test func rowsAreRenamedAndMovedDuringASearch() throws {
    let app = try ProjectNavigator(project, settings: settings)
    app.search = "main"
    #expect(app.lines == ["▾ Sources", "  ▾ App", "    Main.swift"])
    app.coordinator.select(at: [0, 2])
    try app.drop(2, on: 0)
    #expect(app.lines == ["▾ Sources", "  * Main.swift"])
    try app.rename(row: 1, to: "Domain.swift")
    #expect(app.lines == ["▾ Sources", "  * Domain.swift"])
    try app.rename(row: 1, to: "Program.swift")
    #expect(app.lines == [])
    app.search = ""
    #expect(app.lines == ["▸ Docs", "README.md", "▸ Sources"])
    try app.toggle(row: 2)
    #expect(app.lines.suffix(3) == ["  ▸ App", "  ▸ Kit", "  * Program.swift"])
    try app.table.check(by: ==)
  }

  @Test func theTreeFollowsOtherProgramsAfterAReload() throws {
    let app = try ProjectNavigator(project, settings: settings)
    try app.toggle(row: 0)
    try write("Docs/Tour/One.md")
    try FileManager.default.removeItem(at: project.appending(path: "README.md"))
    app.tree.reload()
    #expect(app.lines == ["▾ Docs", "  Guide.md", "  ▸ Tour", "▸ Sources"])
    #expect(!app.table.log.dropFirst().contains("reload"))
  }

  private enum Step: CaseIterable { case toggle, rename, drop, search, select }

  /// After any actions, the table has the files of the disk, and a new window shows the same rows.
  @Test func theTableShowsTheDisk() throws {
    var tally = OperationTally<Step>()
    for iteration in 0..<TestSeed.iterations(6) {
      var generator = TestSeed.generator("navigator", iteration: iteration)
      let app = try ProjectNavigator(project, settings: settings)
      app.table.whileUpdating = { _ = app.lines }
      for step in 0..<25 {
        let operation = Step.allCases.randomElement(using: &generator)!
        let row = app.outline.indices.randomElement(using: &generator)
        let letter = ["a", "m", "z"].randomElement(using: &generator)!
        switch (operation, row) {
        case (.toggle, let row?) where app.outline[row].isFolder: try app.toggle(row: row)
        case (.rename, let row?): try app.rename(row: row, to: "\(letter)\(iteration).\(step).x")
        case (.drop, let row?): try app.drop(row, on: app.outline.indices.randomElement(using: &generator))
        case (.search, _): app.search = ["", "", "a", "1"].randomElement(using: &generator)!
        case (.select, let row?): app.coordinator.select(at: [0, row], .toggling)
        default: continue
        }
        tally.count(operation)
        try app.table.check(by: ==)
      }
      app.search = ""
      let next = try ProjectNavigator(project, settings: settings)
      #expect(app.lines.map { $0.replacing("* ", with: "") } == next.lines, "script \(iteration)")
      for window in [app, next] {
        window.search = "x"
        window.search = "."
      }
      #expect(app.lines.map { $0.replacing("* ", with: "") } == next.lines, "script \(iteration)")
    }
    try tally.check()
  }
}
