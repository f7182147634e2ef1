// Elements that others say have changed.
extension IdentityIndex {
  /// Tells that the elements with some ids have changed, as one transaction.
  ///
  /// Every place of each of them is told as updated by the node that owns it, so that filters ask again and sorts move the
  /// row. It is for what an element refers to: an object, a row of a database, a file.
  ///
  /// ```swift
  /// let tracks = ArrayNode([3, 1, 2])                       // ids
  /// let loud = FilterNode(tracks) { volumes[$0]! > 5 }
  /// let index = IdentityIndex(of: tracks, id: { $0 })
  /// volumes[1] = 9
  /// index.update([1])                                       // loud shows it
  /// ```
  ///
  /// An `UndoLog` does not record it, and it stays where a transaction is rolled back. A node whose children cannot be
  /// written, such as a `ProviderNode`, tells nothing.
  ///
  /// - Parameter ids: any ids; those that no element has are left out, and one that comes twice counts once.
  /// - Complexity: O(d · log n), and the propagation, for each place of depth d; O(n) more for n elements of the sources in a
  ///   transaction that has changed a source and has read no view since.
  public func update(_ ids: some Sequence<ID>) {
    let graph = node.hub.graph
    node.performUpdates {
      var updates = ElementUpdates<Element>()
      var ids = Set(ids)
      if graph.isUnsettled {
        // The index would settle the graph, in which a sort compares with rows that have changed and have not moved yet.
        let wanted = ids
        updates.add(inSourcesOf: node) { element in
          let own = node.hub.refusingChanges { id(element) }
          if wanted.contains(own) { ids.remove(own) }
          return wanted.contains(own)
        }
        updates.announce(in: graph)
        updates = ElementUpdates()
      }
      for id in ids {
        for path in paths(of: id) { node.child(at: path.dropLast()).map { updates.add(path.last!, in: $0) } }
      }
      updates.announce(in: graph)
    }
  }

  /// Tells of each element whose id a sequence yields that it has changed: see `update(_:)`.
  ///
  /// ```swift
  /// let task = Task {
  ///   await index.update(each: NotificationCenter.default.notifications(named: .trackChanged).map { $0.trackID })
  /// }
  /// ```
  ///
  /// It returns when the sequence ends, or the task is cancelled and the sequence ends for that, and keeps the index alive
  /// until then.
  ///
  /// - Parameters:
  ///   - ids: the sequence, such as notifications, or a stream that a database feeds.
  ///   - isolation: the actor to which the node belongs, and on which this is called.
  /// - Throws: what the sequence throws.
  public func update<IDs: AsyncSequence>(
    each ids: IDs, isolation: isolated (any Actor)? = #isolation
  ) async throws(IDs.Failure) where IDs.Element == ID {
    var iterator = ids.makeAsyncIterator()
    while let id = try await iterator.next(isolation: isolation) { update(CollectionOfOne(id)) }
  }

  /// Tells of all elements of a batch of ids that they have changed, as one transaction, for each batch that a sequence yields.
  ///
  /// ```swift
  /// let (batches, feed) = AsyncStream.makeStream(of: [Track.ID].self)     // any task calls feed.yield(ids)
  /// await index.update(each: batches)
  /// ```
  ///
  /// - Parameters:
  ///   - batches: the sequence.
  ///   - isolation: the actor to which the node belongs, and on which this is called.
  /// - Throws: what the sequence throws.
  public func update<Batches: AsyncSequence>(
    each batches: Batches, isolation: isolated (any Actor)? = #isolation
  ) async throws(Batches.Failure) where Batches.Element: Sequence<ID> {
    var iterator = batches.makeAsyncIterator()
    while let batch = try await iterator.next(isolation: isolation) { update(batch) }
  }
}
