#pragma once
#include <gtk/gtk.h>

G_BEGIN_DECLS

/// What a list model asks its owner; positions are those that the model has now.
typedef struct {
  guint (*count)(gpointer owner);
  gboolean (*is_selected)(gpointer owner, guint position);
  void (*select)(gpointer owner, guint position, guint count, gboolean unselects_rest);
  void (*unselect)(gpointer owner, guint position, guint count);
} ListModelCalls;

/// A GListModel and GtkSelectionModel that has nothing of its own: it asks its owner. Its items are objects that say
/// nothing; a cell asks for the position of its list item.
GtkSelectionModel *list_model_new(ListModelCalls calls, gpointer owner);

/// Has no rows from now on, in place of `count`, because its owner is about to end.
void list_model_disown(GtkSelectionModel *model, guint count);

/// A descriptor that can be read when the main dispatch queue has something to run; -1 where there is none.
int main_queue_handle(void);

/// Runs what waits in the main dispatch queue: jobs of Swift's main actor, and blocks.
void main_queue_drain(void);

G_END_DECLS
