import Foundation

/// Reports when entries arrive in directories, leave them or change.
///
/// If the kernel reports changes, `inotify` watches the directories. On other systems, the dates of the directories are
/// compared every two seconds. Successive changes are reported once.
@MainActor
final class DirectoryWatcher {
  private let changed: (Item) -> Void
  private var isScheduled = false
  private var pending: Set<Item> = []
  #if canImport(Glibc)
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?
    private var watches: [Item: Int32] = [:]
    private var items: [Int32: Item] = [:]
  #else
    private var timer: (any DispatchSourceTimer)?
    private var dates: [Item: (path: [UInt8], date: Int)] = [:]
  #endif

  /// The largest number of watched directories, because the kernel has a limit for each user.
  private static let most = 1_000

  init(changed: @escaping (Item) -> Void) {
    self.changed = changed
    #if canImport(Glibc)
      descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readEvents() } }
      source.resume()
      self.source = source
    #else
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.compareDates() } }
      timer.schedule(deadline: .now() + 2, repeating: 2)
      timer.resume()
      self.timer = timer
    #endif
  }

  /// Stores a change, and reports all stored changes 100 ms after the first of them.
  private func note(_ item: Item) {
    pending.insert(item)
    if isScheduled { return }
    isScheduled = true
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
      MainActor.assumeIsolated { self?.report() }
    }
  }

  private func report() {
    isScheduled = false
    let items = pending
    pending = []
    for item in items { changed(item) }
  }

  #if canImport(Glibc)
    /// Watches these directories, and stops watching all others.
    ///
    /// - Parameter directories: the directories, with their paths.
    /// - Returns: the directories that were not watched before.
    func watch(_ directories: [(item: Item, path: [UInt8])]) -> [Item] {
      guard descriptor >= 0 else { return [] }
      var new: [Item] = []
      let wanted = Dictionary(directories.prefix(Self.most).map { ($0.item, $0.path) }) { first, _ in first }
      for (item, watch) in watches where wanted[item] == nil {
        _ = inotify_rm_watch(descriptor, watch)
        watches[item] = nil
        items[watch] = nil
      }
      let events = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_ONLYDIR)
      for (item, path) in wanted where watches[item] == nil {
        let watch = unsafe FileName(bytes: path).callSystem { directory, name in
          if directory == AT_FDCWD { return unsafe inotify_add_watch(descriptor, name, events) }
          // The call accepts no directory; the kernel provides a name for the directory.
          let path = unsafe FileName("/proc/self/fd/\(directory)").appending(FileName(cString: name))
          return unsafe path.withCString { unsafe inotify_add_watch(descriptor, $0, events) }
        }
        if watch < 0 { continue }
        watches[item] = watch
        items[watch] = item
        new.append(item)
      }
      return new
    }

    private func readEvents() {
      var bytes = [UInt8](repeating: 0, count: 16_384)
      let count = unsafe read(descriptor, &bytes, bytes.count)
      var position = 0
      // An event consists of four numbers of 32 bits and a name: the watch, the kind of change, a number that is not
      // used here, and the length of the name.
      while position + 16 <= count {
        func number(_ offset: Int) -> UInt32 {
          (0..<4).reduce(0) { $0 | UInt32(bytes[position + offset + $1]) << (8 * UInt32($1)) }
        }
        let watch = Int32(bitPattern: number(0))
        if let item = items[watch] {
          note(item)
          // The directory has gone, and with it the watch.
          if number(4) & UInt32(IN_IGNORED) != 0 { (watches[item], items[watch]) = (nil, nil) }
        }
        // The kernel dropped events, so any watched directory may have changed.
        if number(4) & UInt32(IN_Q_OVERFLOW) != 0 { items.values.forEach { note($0) } }
        position += 16 + Int(number(12))
      }
    }

    func stop() { source?.cancel() }
  #else
    /// Watches these directories, and stops watching all others.
    ///
    /// - Parameter directories: the directories, with their paths.
    /// - Returns: the directories that were not watched before.
    func watch(_ directories: [(item: Item, path: [UInt8])]) -> [Item] {
      var dates: [Item: (path: [UInt8], date: Int)] = [:]
      var new: [Item] = []
      for (item, path) in directories.prefix(Self.most) {
        if self.dates[item] == nil { new.append(item) }
        dates[item] = (path, self.dates[item]?.date ?? FileSystem.status(of: FileName(bytes: path))?.modified ?? 0)
      }
      self.dates = dates
      return new
    }

    private func compareDates() {
      for (item, known) in dates {
        guard let date = FileSystem.status(of: FileName(bytes: known.path))?.modified, date != known.date else {
          continue
        }
        dates[item]?.date = date
        note(item)
      }
    }

    func stop() { timer?.cancel() }
  #endif
}
