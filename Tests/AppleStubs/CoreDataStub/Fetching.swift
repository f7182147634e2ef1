// The few declarations of Core Data that the adapter uses, by Apple's documentation. With them, the adapter is compiled
// and run on Linux. Requirements that are optional in Core Data are not optional here: a method that is misspelled in
// the adapter does not compile.
public import Foundation

open class NSManagedObject: NSObject {}

public protocol NSFetchRequestResult: AnyObject {}
extension NSManagedObject: NSFetchRequestResult {}

public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete
  case move
  case update
}

public protocol NSFetchedResultsSectionInfo {
  var name: String { get }
  var indexTitle: String? { get }
  var numberOfObjects: Int { get }
  var objects: [Any]? { get }
}

public protocol NSFetchedResultsControllerDelegate: AnyObject {
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
}

/// A controller without a store and a request: the test sets the objects that the controller fetches.
open class NSFetchedResultsController<ResultType>: NSObject {
  public struct Section: NSFetchedResultsSectionInfo {
    public let name: String
    public let objects: [Any]?
    public var indexTitle: String? { name.first.map { String($0) } }
    public var numberOfObjects: Int { objects?.count ?? 0 }

    public init(_ name: String, _ objects: [ResultType]) {
      self.name = name
      self.objects = objects
    }
  }

  /// The sections that the next fetch finds; nil: the fetch throws.
  public var store: [Section]?
  /// By the header of Core Data, the reference is unowned and unsafe. So a delegate has to be removed before the
  /// delegate is released.
  public unowned(unsafe) var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet { unsafe (reference, hasDelegate) = (delegate, delegate != nil) }
  }
  private weak var reference: (any NSFetchedResultsControllerDelegate)?
  private var hasDelegate = false
  /// Whether the delegate was released: the next event would end the process.
  public var isDelegateDangling: Bool { hasDelegate && reference == nil }
  public var sections: [any NSFetchedResultsSectionInfo]?

  public struct FetchError: Error {}

  public init(store: [Section]?) { self.store = store }

  public func performFetch() throws {
    guard let store else { throw FetchError() }
    sections = store
  }

  public func object(at indexPath: IndexPath) -> ResultType {
    sections![indexPath[0]].objects![indexPath[1]] as! ResultType
  }

  public func indexPath(forObject object: ResultType) -> IndexPath? {
    for (section, info) in (sections ?? []).enumerated() {
      let position = info.objects?.firstIndex { $0 as AnyObject === object as AnyObject }
      if let position { return [section, position] }
    }
    return nil
  }

  public var sectionIndexTitles: [String] { (sections ?? []).compactMap(\.indexTitle) }
  public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int { sectionIndex }
}
