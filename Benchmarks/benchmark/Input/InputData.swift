import CommandSupport
import Foundation

/// A user's own data as a tree of texts: the lines of a file, a list of paths, or a JSON document.
///
/// The elements are in document order, each with the number of its ancestors. So the first elements of a tree are a
/// tree, too, and a smaller size is measured with these.
struct InputData: Sendable {
  enum Kind: String, Sendable { case lines, paths, json = "JSON" }

  struct Element: Sendable {
    let text: String
    let depth: Int
  }

  let kind: Kind
  private(set) var elements: [Element] = []

  /// Data without elements, whose operations have names alone.
  static let none = InputData(Data())

  /// Reads a file.
  ///
  /// - Parameter path: the path; `-` is standard input.
  /// - Throws: `Failure` if the file cannot be read, or has no elements.
  init(path: String) throws(Failure) {
    let descriptor = unsafe path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(sentence: "the input could not be read: \(path): \(systemWords(errno))", code: 66)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: descriptor != STDIN_FILENO)
    guard let data = try? file.readToEnd() ?? Data() else {
      throw Failure(sentence: "the input could not be read: \(path): this is no file", code: 66)
    }
    self.init(data)
    if elements.isEmpty { throw Failure(sentence: "the input has no elements: \(path)", code: 65) }
  }

  /// Parses data: JSON where it is a document, paths where a line has a slash, and lines otherwise.
  init(_ data: Data) {
    // Some editors begin a text with a mark of its encoding.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let data = data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
    if let first = data.first(where: { !" \n\r\t".utf8.contains($0) }), first == 0x7B || first == 0x5B,
      let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    {
      kind = .json
      add(value, depth: 0)
      return
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.contains(where: { $0.contains("/") }) else {
      kind = .lines
      elements = lines.map { Element(text: String($0), depth: 0) }
      return
    }
    kind = .paths
    add(lines)
  }

  private mutating func add(_ value: Any, depth: Int) {
    switch value {
    case let object as [String: Any]:
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        elements.append(Element(text: Self.text(key, value), depth: depth))
        add(value, depth: depth + 1)
      }
    case let array as [Any]:
      for (number, value) in array.enumerated() {
        elements.append(Element(text: Self.text("\(number)", value), depth: depth))
        add(value, depth: depth + 1)
      }
    default: break
    }
  }

  private static func text(_ key: String, _ value: Any) -> String {
    switch value {
    case is [String: Any], is [Any]: key
    case is NSNull: "\(key): null"
    // A Boolean is a number, too, and is distinguished only by the type of its storage.
    case let number as NSNumber where unsafe String(cString: number.objCType) == "c": "\(key): \(number.boolValue)"
    default: "\(key): \(value)"
    }
  }

  /// Adds the names on each path, each name of a folder once.
  private mutating func add(_ paths: [Substring]) {
    struct Place: Hashable {
      let folder: Int
      let name: Substring
    }
    // Folders have numbers, because the release of a chain of objects takes a part of the stack for each level.
    var names: [Substring] = [""]
    var children: [[Int]] = [[]]
    var numbers: [Place: Int] = [:]
    for path in paths {
      var folder = 0
      for name in path.split(separator: "/") {
        let place = Place(folder: folder, name: name)
        if let known = numbers[place] {
          folder = known
          continue
        }
        let new = names.count
        names.append(name)
        children.append([])
        children[folder].append(new)
        numbers[place] = new
        folder = new
      }
    }
    var open = children[0].reversed().map { (number: $0, depth: 0) }
    while let (number, depth) = open.popLast() {
      elements.append(Element(text: String(names[number]), depth: depth))
      open += children[number].reversed().map { ($0, depth + 1) }
    }
  }

  /// Whether an element has children.
  var hasBranch: Bool { elements.contains { $0.depth > 0 } }

  /// The first elements, with the children of each.
  func tree(_ count: Int) -> InputTree { InputTree(elements.prefix(count)) }
}

/// Elements by number, and the numbers of their children.
struct InputTree {
  let texts: [String]
  private(set) var roots: [Int] = []
  private(set) var children: [[Int]]

  init(_ elements: ArraySlice<InputData.Element>) {
    texts = elements.map(\.text)
    children = Array(repeating: [], count: elements.count)
    var path: [Int] = []
    for (number, element) in elements.enumerated() {
      path.removeSubrange(min(element.depth, path.count)...)
      if let parent = path.last { children[parent].append(number) } else { roots.append(number) }
      path.append(number)
    }
  }

  /// The lists of children of all elements, and the list of roots: the members of a join.
  var lists: [[Int]] { [roots] + children.filter { !$0.isEmpty } }

  /// Whether a text is found: the letter `e` is in most of the words of many languages, and not in all names.
  @inline(__always)
  func isFound(_ number: Int) -> Bool { texts[number].utf8.contains(UInt8(ascii: "e")) }

  @inline(__always)
  func precedes(_ first: Int, _ second: Int) -> Bool { texts[first] < texts[second] }
}
