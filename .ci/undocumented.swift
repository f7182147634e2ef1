// Lists the public symbols of symbol graphs that have no documentation, of their own or inherited from the
// protocol whose requirement they meet; exit code 1 if there are any. swift-format's rule of that kind can't
// see inherited documentation. Also lists the public types and functions of a module with a catalog that no Topics
// group of the catalog has.
//
//   swift .ci/undocumented.swift Module.symbols.json …

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Comment: Decodable {}
    struct Identifier: Decodable { let precise: String }
    struct Location: Decodable {
      struct Position: Decodable { let line: Int }
      let uri: String
      let position: Position
    }
    let pathComponents: [String]
    let identifier: Identifier
    let docComment: Comment?
    let location: Location?
  }
  struct Relationship: Decodable {
    struct Origin: Decodable {}
    let source: String
    /// What the source inherits its documentation from.
    let sourceOrigin: Origin?
  }
  struct Module: Decodable { let name: String }
  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
}

/// The names in the Topics groups of a module's catalog; nil for a module without a catalog.
func topics(of module: String) throws -> Set<String>? {
  let catalog = "Sources/\(module)/\(module).docc"
  guard let files = try? FileManager.default.contentsOfDirectory(atPath: catalog) else { return nil }
  let groups = try files.filter { $0.hasSuffix(".md") }.flatMap {
    try String(contentsOfFile: "\(catalog)/\($0)", encoding: .utf8).components(separatedBy: "\n## Topics\n").dropFirst()
  }
  let names = groups.joined().split(separator: "\n").filter { $0.hasPrefix("- ``") }
  return Set(names.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "- `")) })
}

var count = 0
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  let inheriting = Set(graph.relationships.filter { $0.sourceOrigin != nil }.map(\.source))
  let module = graph.module.name
  let listed = try topics(of: module)
  for symbol in graph.symbols {
    // Synthesized members, such as `!=`, have no place in the sources.
    guard let location = symbol.location else { continue }
    let file = location.uri.split(separator: "/").last ?? ""
    let name = symbol.pathComponents.joined(separator: ".")
    if symbol.docComment == nil, !inheriting.contains(symbol.identifier.precise) {
      print("\(file):\(location.position.line + 1): \(name) is undocumented")
      count += 1
    }
    if symbol.pathComponents.count == 1, let listed, !listed.contains(name) {
      print("\(file):\(location.position.line + 1): \(name) is in no Topics group of the catalog of \(module)")
      count += 1
    }
  }
}
exit(count == 0 ? 0 : 1)
