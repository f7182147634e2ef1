import CGTK

/// The rules that the browser adds to the theme.
enum Style {
  private static let css = """
    columnview row.takes-drop {
      background: alpha(@theme_selected_bg_color, 0.25); border-radius: 6px;
      outline: 2px solid @theme_selected_bg_color; outline-offset: -2px;
    }
    columnview cell { padding-top: 3px; padding-bottom: 3px; }
    columnview image { color: alpha(@theme_fg_color, 0.6); }
    columnview image.folder { color: @theme_selected_bg_color; }
    columnview row .dim-label { opacity: 1; color: alpha(@theme_fg_color, 0.75); }
    columnview row:selected, columnview row:selected image, columnview row:selected label,
    columnview row:selected .dim-label { color: @theme_selected_fg_color; }
    button.expander { min-width: 20px; min-height: 20px; padding: 0; }
    .status { padding: 6px 12px; font-size: small; }
    .numeric { font-feature-settings: "tnum"; }
    """

  static func install() {
    let provider = gtk_css_provider_new()!
    gtk_css_provider_load_from_data(provider, css, -1)
    gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    g_object_unref(UnsafeMutableRawPointer(provider))
  }
}
