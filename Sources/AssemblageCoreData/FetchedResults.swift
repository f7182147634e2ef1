// Has not been compiled with Core Data, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(CoreData)
  public import Assemblage
  public import CoreData
  import Foundation

  /// A fetched-results controller as the source of a `ResultsNode`.
  ///
  /// ```swift
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
  /// let people = try FetchedResults.node(of: controller)      // ResultsNode<Person>
  /// people[[0, 0]]                                            // the first person of the first section
  /// ```
  ///
  /// This object becomes the controller's delegate. The node keeps this object alive, and this object keeps the
  /// controller alive. When the node is released, the controller loses its delegate. Otherwise the controller would
  /// call a delegate that no longer exists. If the application gives the controller another delegate, that delegate
  /// must live as long as the node.
  public final class FetchedResults<Object: NSManagedObject>: ResultsController {
    /// The controller.
    public let controller: NSFetchedResultsController<Object>

    private let delegate = FetchedResultsDelegate()

    private init(_ controller: NSFetchedResultsController<Object>) { self.controller = controller }

    // The controller does not notice when its delegate is released: its reference is unsafe.
    deinit { if unsafe controller.delegate === delegate { unsafe controller.delegate = nil } }

    /// Makes a node of a controller's sections and objects, and keeps the node up to date.
    ///
    /// - Parameter controller: the controller. This method performs its fetch, and replaces its delegate.
    /// - Returns: the node, which belongs to the queue of the controller's context.
    /// - Throws: the error that `performFetch()` throws.
    /// - Complexity: O(n) for n objects, which are faulted by the controller's batch size.
    public static func node(of controller: NSFetchedResultsController<Object>) throws -> ResultsNode<Object> {
      let results = FetchedResults(controller)
      unsafe controller.delegate = results.delegate
      try controller.performFetch()
      let node = ResultsNode(objectsOf: results)
      results.delegate.willChange = { [weak node] in node?.willChange() }
      results.delegate.note = { [weak node] in node?.note($0) }
      results.delegate.didChange = { [weak node] in node?.didChange() }
      results.delegate.path = { [controller] in ($0 as? Object).flatMap { controller.indexPath(forObject: $0) } }
      return node
    }

    public var numberOfSections: Int { controller.sections?.count ?? 0 }

    public func numberOfObjects(inSection section: Int) -> Int { controller.sections?[section].numberOfObjects ?? 0 }

    public func object(at path: IndexPath) -> Object { controller.object(at: path) }

    public func sectionName(at section: Int) -> String { controller.sections?[section].name ?? "" }

    public var sectionIndexTitles: [String] { controller.sectionIndexTitles }

    public func section(forIndexTitle title: String, at index: Int) -> Int {
      controller.section(forSectionIndexTitle: title, at: index)
    }
  }

  @available(*, unavailable)
  extension FetchedResults: Sendable {}

  /// Is notified of a controller's changes. The class is not generic, because Objective-C does not support generic
  /// classes of Swift.
  private final class FetchedResultsDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var willChange: () -> Void = {}
    var note: (ResultsEvent) -> Void = { _ in }
    var didChange: () -> Void = {}
    /// Yields the path of an object after the batch.
    var path: (Any) -> IndexPath? = { _ in nil }
    /// Changed objects whose former paths the controller did not report.
    private var changed: [Any] = []

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      willChange()
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
      for type: NSFetchedResultsChangeType
    ) {
      switch type {
      case .insert: note(.insertSection(sectionIndex))
      case .delete: note(.deleteSection(sectionIndex))
      default: break
      }
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      switch (type, indexPath, newIndexPath) {
      case (.insert, _, let destination?): note(.insert(at: destination))
      case (.delete, let source?, _): note(.delete(at: source))
      case (.move, let source?, let destination?): note(.move(from: source, to: destination))
      case (.update, let source?, _): note(.update(at: source))
      case (.update, nil, _): changed.append(anObject)
      default: break
      }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      didChange()
      let paths = changed.compactMap(path)
      changed = []
      if paths.isEmpty { return }
      // No object arrives or leaves in this batch. So the paths after this batch are also the paths before it.
      willChange()
      for path in paths { note(.update(at: path)) }
      didChange()
    }
  }
#endif
