import Assemblage
import Foundation

/// The chosen query.
@MainActor final class Choice {
  var query = Query.byID
}

/// The list: the pages of a query in a database.
@MainActor final class People {
  let database: Database
  let choice: Choice
  let list: PagedNode<Person>

  init(_ database: Database) async throws {
    let choice = Choice()
    self.database = database
    self.choice = choice
    let count = try await database.count(of: choice.query)
    list = PagedNode(count: .exact(count), pageSize: 100, keeping: 32) { range in
      try await database.rows(range, of: choice.query)
    }
  }

  /// Shows another query: SQLite sorts and filters.
  func show(_ query: Query) async throws {
    let count = try await database.count(of: query)
    choice.query = query
    list.reset(count: .exact(count))
  }
}

/// The resident memory of the process, in bytes; nil where it cannot be read.
func residentMemory() -> Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
}

@MainActor func browse(_ people: People, _ places: Int, _ generator: inout some RandomNumberGenerator) async throws {
  let list = people.list
  print("\n\(people.choice.query.title): \(list.count) rows")
  guard list.count > 0 else { return }
  let window = Window(list, height: 50)
  var first = Duration.zero
  var longest = Duration.zero
  for place in 0..<places {
    let start = place == 0 ? 0 : Int.random(in: 0..<max(1, list.count - window.height), using: &generator)
    let times = try await window.show(from: start)
    if place == 0 { first = times.first }
    longest = max(longest, times.all)
  }
  print("  first page after \(milliseconds(first)), the slowest of \(places) windows after \(milliseconds(longest))")
  print("  \(list.loadedCount) rows of \(list.count) are in memory")
}

func milliseconds(_ duration: Duration) -> String {
  duration.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 2)))
}

let arguments = CommandLine.arguments.dropFirst()
guard let rowCount = arguments.isEmpty ? 10_000_000 : Int(arguments.first!), rowCount >= 0, arguments.count < 3 else {
  print("usage: pages [ROWS] [FILE]")
  exit(64)
}
let path = arguments.count == 2 ? arguments.last! : NSTemporaryDirectory() + "assemblage-pages-\(rowCount).sqlite"

do {
  let database = try Database(path: path)
  let clock = ContinuousClock()
  let start = clock.now
  if try await database.makeTable(rowCount: rowCount) {
    print("made a table of \(rowCount) rows in \(milliseconds(clock.now - start)): \(path)")
  }
  var generator = SystemRandomNumberGenerator()
  let people = try await People(database)
  try await browse(people, 10, &generator)

  // Reads more pages than are kept: the memory holds only the kept pages.
  let before = residentMemory()
  let window = Window(people.list, height: 50)
  for _ in 0..<200 where people.list.count > 0 {
    let start = Int.random(in: 0..<max(1, people.list.count - 50), using: &generator)
    _ = try await window.show(from: start, drawing: .nothing)
  }
  if let before, let after = residentMemory() {
    print(
      """
        after 200 further windows: \(people.list.loadedCount) rows in memory; \
      the process had \(before / 1024) KB before them, and has \(after / 1024) KB
      """)
  }

  try await people.show(.oldest)
  try await browse(people, 10, &generator)
} catch {
  print("error: \(error)")
  exit(1)
}
