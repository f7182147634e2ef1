#include "ListModel.h"

#include <stdint.h>
#ifdef __linux__
#include <unistd.h>

// Foundation's run loop calls these functions, too: libdispatch exports them for loops of other libraries.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

int main_queue_handle(void) { return _dispatch_get_main_queue_handle_4CF(); }

void main_queue_drain(void) {
  // The handle is an eventfd. A job that arrives while the queue is drained makes the handle readable again.
  uint64_t count;
  if (read(main_queue_handle(), &count, sizeof count) < 0) {
    // There was nothing to read. The queue may have jobs nevertheless.
  }
  _dispatch_main_queue_callback_4CF(NULL);
}

#else
// On other systems GDK's loop is the loop of the system, which runs the main queue by itself.
int main_queue_handle(void) { return -1; }
void main_queue_drain(void) {}
#endif
