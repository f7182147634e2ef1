import Assemblage
import AssemblageGTK
import CGTK
import Foundation

guard let options = Options(CommandLine.arguments.dropFirst()) else {
  print(Options.usage)
  exit(64)
}

/// The objects that live as long as the program.
final class Program {
  let options: Options
  private var browser: BrowserWindow?
  private var dump: Dump?

  init(_ options: Options) { self.options = options }

  func start(_ application: UnsafeMutablePointer<GtkApplication>) {
    Style.install()
    if let path = options.path {
      let tree = FileTree(ForestNode<File>(), .reading)
      let browser = open(tree, title: path, application)
      Task {
        browser.note = "reading …"
        await FolderScan(tree.forest).run(path) { browser.note = "reading …" }
        browser.note = ""
      }
    } else {
      open(FileTree(DemoTree.forest(count: options.count), .writing), title: "Demo", application)
    }
  }

  @discardableResult
  private func open(
    _ tree: FileTree, title: String, _ application: UnsafeMutablePointer<GtkApplication>
  ) -> BrowserWindow {
    let browser = BrowserWindow(tree, title: title, of: application)
    self.browser = browser
    dump = options.dump.map { Dump(browser, path: $0) }
    if options.measures {
      Measurement(browser) {
        g_application_quit(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self))
      }.start()
    }
    return browser
  }
}

MainQueue.attach()
let program = Program(options)
let application = gtk_application_new("org.assemblage.browser", G_APPLICATION_NON_UNIQUE)!
connect(application, "activate") { program.start(application) }
exit(g_application_run(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil))
