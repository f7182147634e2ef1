#pragma once
#include <gtk/gtk.h>

G_BEGIN_DECLS

/// The questions of a list model to its owner; positions are the present positions of the model.
typedef struct {
  guint (*count)(gpointer owner);
  gboolean (*is_selected)(gpointer owner, guint position);
  void (*select)(gpointer owner, guint position, guint count, gboolean unselects_rest);
  void (*unselect)(gpointer owner, guint position, guint count);
} ListModelCalls;

/// A GListModel and GtkSelectionModel that has no rows of its own: the model asks its owner. Its items are objects
/// without content; a cell asks for the position of its list item.
GtkSelectionModel *list_model_new(ListModelCalls calls, gpointer owner);

/// Removes all `count` rows of the model for ever, because its owner is about to end.
void list_model_disown(GtkSelectionModel *model, guint count);

/// A descriptor that can be read when the main dispatch queue has a job; -1 where there is none.
int main_queue_handle(void);

/// Runs the waiting jobs of the main dispatch queue: jobs of Swift's main actor, and blocks.
void main_queue_drain(void);

G_END_DECLS
