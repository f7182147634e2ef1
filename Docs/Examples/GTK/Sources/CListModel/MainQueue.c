#include "ListModel.h"

#include <stdint.h>
#ifdef __linux__
#include <unistd.h>

// What Foundation's run loop calls, too: libdispatch exports it for loops that are not its own.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

int main_queue_handle(void) { return _dispatch_get_main_queue_handle_4CF(); }

void main_queue_drain(void) {
  // The handle is an eventfd; what comes while the queue is drained makes it readable again.
  uint64_t count;
  if (read(main_queue_handle(), &count, sizeof count) < 0) {
    // Nothing was there to read: the queue is looked at anyway.
  }
  _dispatch_main_queue_callback_4CF(NULL);
}

#else
// GDK's loop is that of the system there, which runs the main queue by itself.
int main_queue_handle(void) { return -1; }
void main_queue_drain(void) {}
#endif
