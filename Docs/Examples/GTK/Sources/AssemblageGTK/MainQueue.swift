import CGTK
import CListModel

/// Swift's main actor in GLib's main loop.
///
/// On Linux the jobs of the main actor wait in the main dispatch queue. While GLib's loop has the main thread, nothing
/// runs this queue: a task would stop at its first `await`. libdispatch has a descriptor for the loops of other
/// libraries, for example the loop of Foundation. The descriptor becomes readable when a job waits. A source of GLib's
/// loop watches the descriptor, and then runs the queue.
public enum MainQueue {
  private static var isAttached = false

  /// Lets GLib's main loop run the main dispatch queue, and so all jobs of the main actor.
  ///
  /// Call this once in the process, on the main thread, before the loop begins. The jobs run after input and after
  /// drawing, so that many jobs do not freeze the window, and before idle work.
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
