import CSQLite

/// A row of the table.
struct Person: Sendable {
  var id: Int
  var name: String
  var age: Int
}

/// The condition and the order of rows.
struct Query: Sendable {
  var title: String
  var condition = "1"
  var order: String

  static let byID = Query(title: "all, by id", order: "id")
  static let oldest = Query(title: "over 90, the oldest first", condition: "age > 90", order: "age DESC, id")
}

/// An error of SQLite.
struct DatabaseError: Error, CustomStringConvertible {
  var description: String
}

/// An open database, which is closed when this object ends.
private final class Connection {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_close(pointer) }
}

/// A database file, which is read away from the main actor.
actor Database {
  private let connection: Connection

  /// Opens a file, and creates the file if there is none.
  init(path: String) throws {
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let connection else {
      sqlite3_close(connection)
      throw DatabaseError(description: "cannot open \(path): \(String(cString: sqlite3_errstr(code)))")
    }
    self.connection = Connection(connection)
  }

  /// Makes the table, unless there is a table with this number of rows.
  ///
  /// - Returns: whether the table was made.
  func makeTable(rowCount: Int) throws -> Bool {
    try run("CREATE TABLE IF NOT EXISTS people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL)")
    if try number("SELECT count(*) FROM people") == rowCount { return false }
    try run(
      """
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      DELETE FROM people;
      WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < \(rowCount))
      INSERT INTO people SELECT n, 'person ' || n, (n * 7919) % 100 FROM numbers;
      CREATE INDEX IF NOT EXISTS people_by_age ON people (age DESC, id);
      """)
    return true
  }

  /// The number of rows of a query.
  func count(of query: Query) throws -> Int { try number("SELECT count(*) FROM people WHERE \(query.condition)") }

  /// Reads the rows of a query at some positions.
  ///
  /// In the order of ids, which have no gaps, the position is the id. For other queries SQLite counts through the rows
  /// that an `OFFSET` skips.
  func rows(_ range: Range<Int>, of query: Query) throws -> [Person] {
    var people: [Person] = []
    people.reserveCapacity(range.count)
    let selection = "SELECT id, name, age FROM people WHERE"
    let sql =
      query.order == "id" && query.condition == "1"
      ? "\(selection) id >= \(range.lowerBound) AND id < \(range.upperBound) ORDER BY id"
      : "\(selection) \(query.condition) ORDER BY \(query.order) LIMIT \(range.count) OFFSET \(range.lowerBound)"
    try forEachRow(sql) { statement in
      people.append(
        Person(
          id: Int(sqlite3_column_int64(statement, 0)), name: String(cString: sqlite3_column_text(statement, 1)),
          age: Int(sqlite3_column_int64(statement, 2))))
    }
    return people
  }

  private func number(_ sql: String) throws -> Int {
    var number = 0
    try forEachRow(sql) { number = Int(sqlite3_column_int64($0, 0)) }
    return number
  }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(connection.pointer, sql, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  private func forEachRow(_ sql: String, _ body: (OpaquePointer) -> Void) throws {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection.pointer, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw error
    }
    defer { sqlite3_finalize(statement) }
    while true {
      // If the node no longer wants the page, the rest of the page is not read.
      try Task.checkCancellation()
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body(statement)
      case SQLITE_DONE: return
      default: throw error
      }
    }
  }

  private var error: DatabaseError { DatabaseError(description: String(cString: sqlite3_errmsg(connection.pointer))) }
}
