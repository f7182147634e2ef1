// Counts the symbols of symbol graphs that have a place in the sources, which those of the compiler and of other
// modules have not; `.ci/symbols` makes the graphs.
//
//   swift .ci/symbols.swift [--types-of Module] Module.symbols.json …

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Location: Decodable {}
    let pathComponents: [String]
    let location: Location?
  }
  struct Module: Decodable { let name: String }
  let module: Module
  let symbols: [Symbol]
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
  print("\(symbols.count) \(graph.module.name)")
  guard graph.module.name == listed else { continue }
  let types = Dictionary(grouping: symbols) { $0.pathComponents[0] }
  for (name, members) in types.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
    print("  \(members.count) \(name)")
  }
}
