import Assemblage

/// A tree of invented files, the same in each run.
struct DemoTree {
  private static let topics = [
    "Archive", "Books", "Designs", "Finance", "Garden", "Invoices", "Letters", "Music", "Notes", "Papers", "Photos",
    "Recipes", "Research", "Sources", "Travel", "Workshop",
  ]
  private static let subjects = [
    "apple", "bridge", "cellar", "dune", "ember", "fjord", "grove", "harbour", "island", "juniper", "kettle", "lantern",
    "meadow", "nectar", "orchard", "pebble", "quartz", "river", "saddle", "timber", "umbrella", "valley", "willow",
  ]
  private static let endings = ["pdf", "png", "txt", "md", "csv", "flac", "swift", "jpg"]
  /// The number of files in a folder, and the number of files in a folder at the top, beside its folders.
  private static let (fileCount, topFileCount) = (100, 10)

  private var nextID = 0
  private var seed: UInt64 = 2026

  /// Makes a tree of `count` elements: folders of folders of files.
  static func forest(count: Int) -> ForestNode<File> {
    var demo = DemoTree()
    let roots = (0..<min(count, topics.count)).map { demo.folder($0) }
    var left = count - roots.count
    let folderCount = max(0, left / topics.count - topFileCount) / (fileCount + 1)
    // The depths of the folders whose children are not made yet.
    var depths = Dictionary(uniqueKeysWithValues: roots.map { ($0.id, 0) })
    return ForestNode(roots) { (file: File) -> [File]? in
      guard let depth = depths.removeValue(forKey: file.id) else { return nil }
      let isLast = file.id == roots.last?.id && folderCount == 0
      let files = min(left, depth == 0 ? topFileCount : fileCount)
      let folders = depth == 0 ? min(left - files, folderCount) : 0
      left -= files + folders
      let children = (0..<files).map { demo.file($0) } + (0..<folders).map { demo.folder($0) }
      for folder in children[files...] { depths[folder.id] = depth + 1 }
      // The last folder gets the rest of the files.
      let isEnd = isLast || depth == 1 && depths.isEmpty
      defer { if isEnd { left = 0 } }
      return children + (0..<(isEnd ? left : 0)).map { demo.file(files + $0) }
    }
  }

  private mutating func folder(_ number: Int) -> File {
    let topic = Self.topics[number % Self.topics.count]
    let name = number < Self.topics.count ? topic : "\(topic) \(number / Self.topics.count + 1)"
    return make(name, isFolder: true, size: 0)
  }

  private mutating func file(_ number: Int) -> File {
    let subject = Self.subjects[draw(Self.subjects.count)]
    let name = "\(subject)-\(number + 1).\(Self.endings[draw(Self.endings.count)])"
    return make(name, isFolder: false, size: 1 + draw(1 << (4 + draw(20))))
  }

  private mutating func make(_ name: String, isFolder: Bool, size: Int) -> File {
    nextID += 1
    // Some day of five years.
    return File(id: nextID, name: name, isFolder: isFolder, size: size, modified: 1_600_000_000 + draw(157_000_000))
  }

  /// A number below `limit`: a linear congruential generator's upper bits.
  private mutating func draw(_ limit: Int) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((seed >> 33) % UInt64(limit))
  }
}
