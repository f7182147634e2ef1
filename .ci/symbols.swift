// Counts the symbols of symbol graphs that have a place in the sources, which those of the compiler and of other
// modules have not; `.ci/symbols` makes the graphs. The second number is that of symbols that meet a requirement of a
// protocol, such as the `count` of each node: they add no name to those that a user has to know.
//
//   swift .ci/symbols.swift [--types-of Module] Module.symbols.json …

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Location: Decodable {}
    struct Identifier: Decodable { let precise: String }
    let pathComponents: [String]
    let identifier: Identifier
    let location: Location?
  }
  struct Relationship: Decodable {
    struct Origin: Decodable {}
    let source: String
    /// The requirement that the source meets.
    let sourceOrigin: Origin?
  }
  struct Module: Decodable { let name: String }
  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
}

var paths = Array(CommandLine.arguments.dropFirst())
var listed: String?
if paths.first == "--types-of" {
  listed = paths[1]
  paths.removeFirst(2)
}

for path in paths {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  let symbols = graph.symbols.filter { $0.location != nil }
  let meeting = Set(graph.relationships.filter { $0.sourceOrigin != nil }.map(\.source))
  let known = symbols.count { meeting.contains($0.identifier.precise) }
  print("\(graph.module.name): \(symbols.count) public symbols; \(known) of them meet a requirement of a protocol")
  guard graph.module.name == listed else { continue }
  let types = Dictionary(grouping: symbols) { $0.pathComponents[0] }
  for (name, members) in types.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
    print("  \(members.count) \(name)")
  }
}
