import Foundation

/// Names of 8 to 24 characters, made of syllables. One of ten names has a letter that is not ASCII.
enum Names {
  private static let syllables = [
    "an", "bel", "car", "da", "el", "fran", "ga", "hel", "is", "jo", "kar", "lin", "mar", "na", "ol", "pe", "ri", "sa",
    "ta", "ul", "vic", "wal", "xa", "yas", "zo", "ber", "chi", "den", "er", "gor", "hart", "in", "ken", "lo", "mon",
    "nor", "os", "quin", "ran", "son", "ton", "va", "wen", "ström", "né",
  ]

  /// A rare query: two syllables that follow one another in about 1.6 of 1,000 names.
  static let rare = "marlin"
  /// Another rare query, in 1.3 of 1,000 names.
  static let other = "gorhart"
  /// A frequent query: a syllable that is in about every third name.
  static let frequent = "an"
  /// Two words for a search in any order. 1.2 of 100 names have both.
  static let words = "gor mar"
  /// Characters for a search in order. 2.6 of 1,000 names have them in this order.
  static let fuzzy = "mlnk"

  static func make<Generator: RandomNumberGenerator>(_ count: Int, using generator: inout Generator) -> [String] {
    (0..<count).map { _ in name(using: &generator) }
  }

  static func name<Generator: RandomNumberGenerator>(using generator: inout Generator) -> String {
    let length = Int.random(in: 8...24, using: &generator)
    // Words end within the first half and within the second half.
    var text = ""
    var word = ""
    while text.count + word.count < length {
      let isRare = Int.random(in: 0..<100, using: &generator) < 2
      let choices = isRare ? syllables.suffix(2) : syllables.dropLast(2)
      word += choices.randomElement(using: &generator)!
      if word.count > 6 {
        text += word.capitalized + " "
        word = ""
      }
    }
    return String((text + word.capitalized).prefix(length))
  }
}

/// An element that is an object, as in an app.
final class Person {
  var name: String
  init(_ name: String) { self.name = name }
}

/// The names in lower case, an array of strings.
struct LoweredNames {
  private(set) var names: [String]

  init(_ names: [String]) { self.names = names.map { $0.lowercased() } }

  subscript(position: Int) -> String {
    get { names[position] }
    set { names[position] = newValue.lowercased() }
  }

  func count(containing query: String) -> Int {
    names.reduce(0) { $0 + ($1.contains(query) ? 1 : 0) }
  }

  func count(containingAll words: [String]) -> Int {
    names.reduce(0) { count, name in count + (words.allSatisfy { name.contains($0) } ? 1 : 0) }
  }

  /// The number of names that contain the bytes of a query in their order.
  func count(inOrder query: String) -> Int {
    names.reduce(0) { count, name in
      var rest = query.utf8[...]
      for byte in name.utf8 where byte == rest.first { rest = rest.dropFirst() }
      return count + (rest.isEmpty ? 1 : 0)
    }
  }
}

/// The names in lower case in one buffer, each with a line break at its end. The C library's `memmem` searches the
/// buffer.
struct NameBuffer {
  private typealias Search = @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?

  /// Glibc's header hides the function from Swift.
  private static let memmem = unsafe unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "memmem")!, to: Search.self)

  private(set) var bytes: [UInt8] = []
  private var starts: [Int] = []

  init(_ names: [String]) {
    for name in names {
      starts.append(bytes.count)
      bytes.append(contentsOf: name.lowercased().utf8)
      bytes.append(10)
    }
  }

  var byteCount: Int { bytes.capacity + starts.capacity * 8 }

  /// Replaces a name, and moves all bytes behind it.
  mutating func replace(at position: Int, with name: String) {
    let end = position + 1 < starts.count ? starts[position + 1] : bytes.count
    let new = Array(name.lowercased().utf8) + [10]
    let shift = new.count - (end - starts[position])
    bytes.replaceSubrange(starts[position]..<end, with: new)
    if shift != 0 { for later in starts.indices.dropFirst(position + 1) { starts[later] += shift } }
  }

  /// The number of names that contain a query. Behind each match, the search begins again at the next name.
  func count(containing query: String) -> Int {
    let needle = Array(query.utf8)
    let search = unsafe Self.memmem
    return unsafe bytes.withUnsafeBytes { bytes in
      var count = 0
      var next = bytes.baseAddress!
      let end = unsafe next + bytes.count
      while let found = unsafe search(next, end - next, needle, needle.count) {
        count += 1
        guard let line = unsafe memchr(found, 10, end - UnsafeRawPointer(found)) else { break }
        unsafe next = UnsafeRawPointer(line) + 1
      }
      return count
    }
  }
}
