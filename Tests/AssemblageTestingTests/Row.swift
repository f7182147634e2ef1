/// An element that has an identity and can be changed.
struct Row: Hashable, CustomStringConvertible {
  let id: Int
  var version = 0

  var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}
