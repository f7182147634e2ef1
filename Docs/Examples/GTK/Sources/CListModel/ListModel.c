#include "ListModel.h"

typedef struct {
  GObject parent;
  ListModelCalls calls;
  gpointer owner;
} ListModel;

typedef struct {
  GObjectClass parent;
} ListModelClass;

static void list_model_init_list(GListModelInterface *interface);
static void list_model_init_selection(GtkSelectionModelInterface *interface);

G_DEFINE_TYPE_WITH_CODE(
    ListModel, list_model, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init_list)
        G_IMPLEMENT_INTERFACE(GTK_TYPE_SELECTION_MODEL, list_model_init_selection))

static void list_model_class_init(ListModelClass *class) { (void)class; }
static void list_model_init(ListModel *self) { (void)self; }

GtkSelectionModel *list_model_new(ListModelCalls calls, gpointer owner) {
  ListModel *self = g_object_new(list_model_get_type(), NULL);
  self->calls = calls;
  self->owner = owner;
  return GTK_SELECTION_MODEL(self);
}

void list_model_disown(GtkSelectionModel *model, guint count) {
  ListModel *self = (ListModel *)model;
  self->owner = NULL;
  if (count > 0) g_list_model_items_changed(G_LIST_MODEL(model), 0, count, 0);
}

// Rows

static GType list_model_item_type(GListModel *model) {
  (void)model;
  return G_TYPE_OBJECT;
}

static guint list_model_count(GListModel *model) {
  ListModel *self = (ListModel *)model;
  return self->owner ? self->calls.count(self->owner) : 0;
}

static gpointer list_model_item(GListModel *model, guint position) {
  return position < list_model_count(model) ? g_object_new(G_TYPE_OBJECT, NULL) : NULL;
}

static void list_model_init_list(GListModelInterface *interface) {
  interface->get_item_type = list_model_item_type;
  interface->get_n_items = list_model_count;
  interface->get_item = list_model_item;
}

// Selection

static gboolean list_model_is_selected(GtkSelectionModel *model, guint position) {
  ListModel *self = (ListModel *)model;
  return position < list_model_count(G_LIST_MODEL(model)) && self->calls.is_selected(self->owner, position);
}

static GtkBitset *list_model_selection(GtkSelectionModel *model, guint position, guint count) {
  GtkBitset *result = gtk_bitset_new_empty();
  for (guint next = position; next < position + count; next++)
    if (list_model_is_selected(model, next)) gtk_bitset_add(result, next);
  return result;
}

static gboolean list_model_select_range(
    GtkSelectionModel *model, guint position, guint count, gboolean unselects_rest) {
  ListModel *self = (ListModel *)model;
  if (self->owner) self->calls.select(self->owner, position, count, unselects_rest);
  return TRUE;
}

static gboolean list_model_unselect_range(GtkSelectionModel *model, guint position, guint count) {
  ListModel *self = (ListModel *)model;
  if (self->owner) self->calls.unselect(self->owner, position, count);
  return TRUE;
}

static gboolean list_model_select(GtkSelectionModel *model, guint position, gboolean unselects_rest) {
  return list_model_select_range(model, position, 1, unselects_rest);
}

static gboolean list_model_unselect(GtkSelectionModel *model, guint position) {
  return list_model_unselect_range(model, position, 1);
}

static gboolean list_model_select_all(GtkSelectionModel *model) {
  return list_model_select_range(model, 0, list_model_count(G_LIST_MODEL(model)), TRUE);
}

static gboolean list_model_unselect_all(GtkSelectionModel *model) {
  return list_model_unselect_range(model, 0, list_model_count(G_LIST_MODEL(model)));
}

static gboolean list_model_set_selection(GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask) {
  GtkBitsetIter iterator;
  guint position;
  for (gboolean more = gtk_bitset_iter_init_first(&iterator, mask, &position); more;
       more = gtk_bitset_iter_next(&iterator, &position)) {
    if (gtk_bitset_contains(selected, position))
      list_model_select(model, position, FALSE);
    else
      list_model_unselect(model, position);
  }
  return TRUE;
}

static void list_model_init_selection(GtkSelectionModelInterface *interface) {
  interface->is_selected = list_model_is_selected;
  interface->get_selection_in_range = list_model_selection;
  interface->select_item = list_model_select;
  interface->unselect_item = list_model_unselect;
  interface->select_range = list_model_select_range;
  interface->unselect_range = list_model_unselect_range;
  interface->select_all = list_model_select_all;
  interface->unselect_all = list_model_unselect_all;
  interface->set_selection = list_model_set_selection;
}
