// Lists the public symbols of symbol graphs that have no documentation, of their own or inherited from the
// protocol whose requirement they meet; exit code 1 if there are any. swift-format's rule of that kind can't
// see what is inherited.
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
  let symbols: [Symbol]
  let relationships: [Relationship]
}

var count = 0
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  let inheriting = Set(graph.relationships.filter { $0.sourceOrigin != nil }.map(\.source))
  for symbol in graph.symbols where symbol.docComment == nil {
    // Synthesized members, such as `!=`, have no place in the sources.
    guard let location = symbol.location, !inheriting.contains(symbol.identifier.precise) else { continue }
    let file = location.uri.split(separator: "/").last ?? ""
    let name = symbol.pathComponents.joined(separator: ".")
    print("\(file):\(location.position.line + 1): \(name) is undocumented")
    count += 1
  }
}
exit(count == 0 ? 0 : 1)
