import Foundation
import TestSupport

@testable import outline

/// A JSON value that keeps the order of its members. Values are made at random and written in random ways.
enum JSONModel {
  struct Member {
    let key: String
    let value: JSONModel
  }

  case object([Member])
  case array([JSONModel])
  case string(String)
  case number(String)
  case word(String)

  static func random(depth: Int, using generator: inout SeededGenerator) -> JSONModel {
    let count = Int.random(in: 0...5, using: &generator)
    switch Int.random(in: depth > 0 ? 0...8 : 4...8, using: &generator) {
    case 0...1:
      var members: [Member] = []
      for _ in 0..<count {
        let key = randomString(using: &generator)
        // Of several members with the same name, Foundation keeps one.
        if members.contains(where: { $0.key == key }) { continue }
        members.append(Member(key: key, value: random(depth: depth - 1, using: &generator)))
      }
      return .object(members)
    case 2...3: return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    case 4...5: return .string(randomString(using: &generator))
    case 6...7: return .number(randomNumber(using: &generator))
    default: return .word(["true", "false", "null"].randomElement(using: &generator) ?? "null")
    }
  }

  private static func randomString(using generator: inout SeededGenerator) -> String {
    let characters = [
      "a", "b", "\"", "\\", "/", "\n", "\u{1}", "é", "漢", "🎼", "{", "]", ":", ",", " ", "\u{7F}", "e\u{301}",
    ]
    return (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      characters.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private static func randomNumber(using generator: inout SeededGenerator) -> String {
    let sign = generator.chance(1, in: 3) ? "-" : ""
    let whole = String(Int.random(in: 0...1_200, using: &generator))
    let fraction = generator.chance(1, in: 3) ? ".5" : ""
    let exponent = generator.chance(1, in: 4) ? ["e2", "E+1", "e-3"].randomElement(using: &generator) ?? "" : ""
    return sign + whole + fraction + exponent
  }

  /// Returns the value as a JSON text, with random space, and with random escapes where there is a choice.
  func text(using generator: inout SeededGenerator) -> String {
    func space(_ generator: inout SeededGenerator) -> String {
      generator.chance(1, in: 4) ? [" ", "\n", "\t", "\r\n", "  "].randomElement(using: &generator) ?? "" : ""
    }
    let before = space(&generator)
    let value: String
    switch self {
    case .object(let members):
      let texts = members.map { member in
        space(&generator) + Self.quoted(member.key, using: &generator) + space(&generator) + ":"
          + member.value.text(using: &generator)
      }
      value = "{" + texts.joined(separator: ",") + space(&generator) + "}"
    case .array(let elements):
      value = "[" + elements.map { $0.text(using: &generator) }.joined(separator: ",") + space(&generator) + "]"
    case .string(let text): value = Self.quoted(text, using: &generator)
    case .number(let text), .word(let text): value = text
    }
    return before + value + space(&generator)
  }

  private static func quoted(_ text: String, using generator: inout SeededGenerator) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || generator.chance(1, in: 8) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: generator.chance(1, in: 2))
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else if scalar == "\"" || scalar == "\\" || scalar == "/" && generator.chance(1, in: 2) {
        result += "\\" + String(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The object that Foundation makes of the value.
  var foundation: NSObject {
    switch self {
    case .object(let members):
      NSDictionary(
        dictionary: Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.foundation) }))
    case .array(let elements): NSArray(array: elements.map(\.foundation))
    case .string(let text): NSString(string: text)
    // For Foundation, minus zero is zero where it is written as an integer.
    case .number(let text): NSNumber(value: Int(text) == 0 ? 0 : Double(text) ?? .nan)
    case .word(let word): word == "null" ? NSNull() : NSNumber(value: word == "true")
    }
  }
}

extension JSONDocument {
  /// Reads the value at a place on the tape back, as a model that can be compared with others.
  func model(_ index: Int = 0) -> JSONModel {
    var children: [Int] = []
    if tape.isBranch(index) {
      var child = tape.first(index)
      while child < tape.end(index) {
        children.append(child)
        child = tape.end(child)
      }
    }
    switch kind(index) {
    case .object: return .object(children.map { JSONModel.Member(key: key($0) ?? "no key", value: model($0)) })
    case .array, .sequence: return .array(children.map { model($0) })
    case .string: return .string(text(index).text)
    case .number: return .number(text(index).text)
    case .boolean, .null: return .word(text(index).text)
    }
  }
}

extension JSONModel: Equatable {
  static func == (first: JSONModel, second: JSONModel) -> Bool {
    switch (first, second) {
    case (.object(let first), .object(let second)):
      first.map(\.key) == second.map(\.key) && first.map(\.value) == second.map(\.value)
    case (.array(let first), .array(let second)): first == second
    // Characters that look alike are not the same text.
    case (.string(let first), .string(let second)): Array(first.utf8) == Array(second.utf8)
    case (.number(let first), .number(let second)), (.word(let first), .word(let second)): first == second
    default: false
    }
  }
}
