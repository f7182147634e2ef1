import Assemblage
import Foundation

/// Reads a folder of the disk, away from the main actor, and fills a forest with its files.
final class FolderScan {
  /// The files in a folder; the id of the top folder is 0.
  nonisolated private struct Listing: Sendable {
    var folder: Int
    var files: [File]
  }

  let forest: ForestNode<File>
  /// The folders that were not read yet, by their ids.
  private var folders: [Int: ForestNode<File>]

  init(_ forest: ForestNode<File>) {
    self.forest = forest
    folders = [0: forest]
  }

  /// Reads all folders below a path, the higher ones first.
  ///
  /// - Parameters:
  ///   - path: the path of a folder.
  ///   - progress: is called after each batch of folders.
  func run(_ path: String, progress: () -> Void) async {
    let (batches, feed) = AsyncStream.makeStream(of: [Listing].self)
    let reader = Task.detached {
      await Self.read(path, into: feed)
      feed.finish()
    }
    for await listings in batches {
      forest.performUpdates { for listing in listings { take(listing) } }
      progress()
    }
    await reader.value
  }

  private func take(_ listing: Listing) {
    guard let folder = folders.removeValue(forKey: listing.folder) else { return }
    let start = folder.count
    folder.append(contentsOf: listing.files)
    for (number, file) in listing.files.enumerated() where file.isFolder {
      folder.turnIntoBranch(at: start + number)
      folders[file.id] = folder.child(at: start + number) as? ForestNode<File>
    }
  }

  /// Sends the folders that were read, every 20 milliseconds; each batch is one change of the forest.
  @concurrent private nonisolated static func read(
    _ path: String, into feed: AsyncStream<[Listing]>.Continuation
  ) async {
    var batch: [Listing] = []
    var sent = ContinuousClock.now
    var nextID = 0
    var waiting = [(id: 0, path: path)][...]
    while let (id, path) = waiting.popFirst() {
      var files: [File] = []
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        let isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
        nextID += 1
        files.append(
          File(
            id: nextID, name: name, isFolder: isFolder, size: isFolder ? 0 : attributes?[.size] as? Int ?? 0,
            modified: Int((attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)))
        if isFolder { waiting.append((nextID, path + "/" + name)) }
      }
      batch.append(Listing(folder: id, files: files))
      if ContinuousClock.now - sent >= .milliseconds(20) {
        if case .terminated = feed.yield(batch) { return }
        (batch, sent) = ([], .now)
      }
    }
    feed.yield(batch)
  }
}
