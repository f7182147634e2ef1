/// An element that can be told from every other, and changed.
struct Row: Hashable, CustomStringConvertible {
  let id: Int
  var version = 0

  var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}
