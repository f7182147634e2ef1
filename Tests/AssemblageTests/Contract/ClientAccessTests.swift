import TestSupport
import Testing

/// Lines that a client of the library can compile, and lines that it cannot. Users of nodes cannot use the interface
/// for authors of nodes.
@Suite struct ClientAccessTests {
  typealias Line = (code: String, error: String)

  private static let ofAuthors: [Line] = [
    ("@_spi(NodeAuthors) import Assemblage", ""),
    ("let names = ArrayNode([\"Ada\"])", ""),
    ("names.append(\"Bo\")", ""),
    ("let (author, change) = (NodeAuthor(), ChangeSet(.removal(0..<1)))", ""),
    ("author.publish(change)", ""),
    ("names.hub.publish(change)", "'hub' is inaccessible due to 'internal' protection level"),
    ("names.port.publish(change)", "value of type 'NodePort' has no member 'publish'"),
    ("names.author.publish(change)", "value of type 'ArrayNode<String>' has no member 'author'"),
    ("NodeHub(of: names).publish(change)", "cannot find 'NodeHub' in scope"),
    ("_ = NodePort()", "'NodePort' initializer is inaccessible due to 'internal' protection level"),
    ("_ = names.reader", "'reader' is inaccessible due to 'internal' protection level"),
    ("names.surrenderSources()", "value of type 'ArrayNode<String>' has no member 'surrenderSources'"),
  ]

  private static let ofUsers: [Line] = [
    ("import Assemblage", ""),
    ("let names = ArrayNode([\"Ada\"])", ""),
    ("let short = FilterNode(names) { $0.count < 4 }", ""),
    ("short.insert(\"Bo\", at: 0)", ""),
    ("_ = (short.allows(.remove, at: 0), short.header, short.sourcePosition(of: 0))", ""),
    ("let everyone: any WritableNode<String> = JoinNode([names])", ""),
    ("_ = NodeAuthor()", "cannot find 'NodeAuthor' in scope"),
    ("_ = names.port", "'port' is inaccessible due to '@_spi' protection level"),
    ("names.forEachSpan(in: 0..<1) { _, _ in }", "'forEachSpan' is inaccessible due to '@_spi' protection level"),
    ("_ = short.insertionPoint(at: 0)", "'insertionPoint' is inaccessible due to '@_spi' protection level"),
    ("_ = short as any SourceView<String>", "cannot find type 'SourceView' in scope"),
    ("_ = Delta.Builder()", "'Builder' is inaccessible due to '@_spi' protection level"),
    (
      "final class Portless: TreeNode { var count: Int { 0 }; func element(at position: Int) -> Int? { nil } }",
      "type 'Portless' does not conform to protocol 'TreeNode'"
    ),
  ]

  @Test func onlyANodeItselfCanPublishItsChanges() throws { try check(Self.ofAuthors) }

  @Test func usersMeetNothingThatIsForAuthors() throws { try check(Self.ofUsers) }

  /// Compiles a program, and compares the error of each line.
  private func check(_ lines: [Line]) throws {
    let compiled = try CompiledCode(lines.map(\.code).joined(separator: "\n"))
    #expect(!compiled.succeeded)
    for (number, line) in lines.enumerated() {
      let errors = compiled.diagnostics.filter { $0.contains(".swift:\(number + 1):") }
      #expect(
        errors.isEmpty == line.error.isEmpty && errors.allSatisfy { $0.hasSuffix(line.error) }, "\(line): \(errors)")
    }
    #expect(compiled.diagnostics.count == lines.count { !$0.error.isEmpty }, "\(compiled.diagnostics)")
  }
}
