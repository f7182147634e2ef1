import CGTK
import CListModel

/// Swift's main actor in GLib's main loop.
///
/// On Linux the jobs of the main actor wait in the main dispatch queue, which nobody runs while GLib's loop has the
/// main thread: a task would stop at its first `await`. libdispatch has a descriptor that becomes readable when
/// something waits, for loops of others (Foundation's is one); a source of GLib's loop watches it, and then runs the
/// queue.
public enum MainQueue {
  private static var isAttached = false

  /// Lets GLib's main loop run the main dispatch queue, and so all jobs of the main actor; once for the process, on the
  /// main thread, before the loop begins.
  ///
  /// The jobs run after input and after drawing, so that a stream of them does not freeze the window, and before what
  /// is idle.
  public static func attach() {
    let handle = main_queue_handle()
    if isAttached || handle < 0 { return }
    isAttached = true
    // GDK draws at G_PRIORITY_HIGH_IDLE + 20.
    let priority = G_PRIORITY_HIGH_IDLE + 25
    g_unix_fd_add_full(
      priority, handle, G_IO_IN,
      { _, _, _ in
        main_queue_drain()
        return 1
      }, nil, nil)
  }
}
