public import CGTK

/// A closure that C keeps.
final class Handler<Body> {
  let body: Body

  init(_ body: Body) { self.body = body }

  /// The closure inside the data that C keeps.
  static func body(of data: gpointer) -> Body { Unmanaged<Handler<Body>>.fromOpaque(data).takeUnretainedValue().body }
}

/// Calls a closure for a signal whose arguments are not needed, for as long as the object lives.
///
/// - Parameters:
///   - object: an object of GLib.
///   - signal: the name of a signal that returns nothing.
///   - body: is called for each signal.
public func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void) {
  // In a swapped connection the data are the first argument, for any other arguments.
  let callback: @convention(c) (gpointer) -> Void = { Handler<() -> Void>.body(of: $0)() }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self), G_CONNECT_SWAPPED)
}

/// Connects a closure as `connect` does, for a signal with a pointer as its argument.
public func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, pointer body: @escaping (OpaquePointer) -> Void
) {
  let callback: @convention(c) (gpointer, OpaquePointer, gpointer) -> Void = {
    Handler<(OpaquePointer) -> Void>.body(of: $2)($1)
  }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

/// Connects a closure as `connect` does, for `GtkColumnView::activate`; the closure gets a position.
public func connect(_ object: UnsafeMutableRawPointer, _ signal: String, position body: @escaping (Int) -> Void) {
  let callback: @convention(c) (gpointer, guint, gpointer) -> Void = { Handler<(Int) -> Void>.body(of: $2)(Int($1)) }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

/// Connects a closure as `connect` does, for `GtkGestureClick::pressed`; the closure gets the number of presses and the
/// point.
public func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, press body: @escaping (Int, Double, Double) -> Void
) {
  let callback: @convention(c) (gpointer, gint, Double, Double, gpointer) -> Void = {
    Handler<(Int, Double, Double) -> Void>.body(of: $4)(Int($1), $2, $3)
  }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

/// Connects a closure as `connect` does, for `GtkEventControllerKey::key-pressed`.
///
/// The closure gets a key and its modifiers, and returns whether it has handled the key.
public func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, key body: @escaping (Int, GdkModifierType) -> Bool
) {
  let callback: @convention(c) (gpointer, guint, guint, GdkModifierType, gpointer) -> gboolean = {
    Handler<(Int, GdkModifierType) -> Bool>.body(of: $4)(Int($1), $3) ? 1 : 0
  }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

/// Connects a closure as `connect` does, for `GtkDragSource::prepare`.
///
/// The closure gets the point where the drag begins, and returns the dragged content.
func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, prepare body: @escaping (Double, Double) -> OpaquePointer?
) {
  let callback: @convention(c) (gpointer, Double, Double, gpointer) -> OpaquePointer? = {
    Handler<(Double, Double) -> OpaquePointer?>.body(of: $3)($1, $2)
  }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

/// Connects a closure as `connect` does, for `GtkDropTarget::motion` and `enter`.
///
/// The closure gets the point of the pointer, and returns the action of a drop there.
func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, motion body: @escaping (Double, Double) -> GdkDragAction
) {
  let callback: @convention(c) (gpointer, Double, Double, gpointer) -> GdkDragAction = {
    Handler<(Double, Double) -> GdkDragAction>.body(of: $3)($1, $2)
  }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

/// Connects a closure as `connect` does, for `GtkDropTarget::drop`.
///
/// The closure gets the point of the drop, and returns whether the drop was accepted.
func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, drop body: @escaping (Double, Double) -> Bool
) {
  let callback: @convention(c) (gpointer, gpointer, Double, Double, gpointer) -> gboolean = {
    Handler<(Double, Double) -> Bool>.body(of: $4)($2, $3) ? 1 : 0
  }
  connect(object, signal, Handler(body), unsafeBitCast(callback, to: GCallback.self))
}

private func connect<Body>(
  _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: Handler<Body>, _ callback: @escaping GCallback,
  _ flags: GConnectFlags = GConnectFlags(rawValue: 0)
) {
  g_signal_connect_data(
    object, signal, callback, Unmanaged.passRetained(handler).toOpaque(),
    { data, _ in Unmanaged<AnyObject>.fromOpaque(data!).release() }, flags)
}

/// Calls a closure when the main loop has no other work.
///
/// - Parameters:
///   - priority: the priority of the closure; G_PRIORITY_DEFAULT_IDLE is after drawing.
///   - body: is called once.
public func whenIdle(priority: Int32 = G_PRIORITY_DEFAULT_IDLE, _ body: @escaping () -> Void) {
  g_idle_add_full(
    priority,
    {
      Handler<() -> Void>.body(of: $0!)()
      return 0
    }, Unmanaged.passRetained(Handler(body)).toOpaque(), { Unmanaged<AnyObject>.fromOpaque($0!).release() })
}
