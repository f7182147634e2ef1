// Checks the links of all pages in Markdown, and writes the documentation catalogs of the site.
//
//   swift .ci/catalogs.swift FOLDER
//
// The folder gets a copy of each catalog of Sources. The copy of Assemblage's catalog also has the guides of Docs as
// articles, and their pictures. The list "Read on" of README.md makes the first groups of the landing page, and has to
// name each guide. The pages of the repository have links that GitHub follows. DocC follows none of these, so the
// copies have links of DocC instead. On the site, the path of a guide in code is a link, and so is a public type in a guide.
//
// The exit code is 1 if a relative link leads nowhere: the file has to be there, and the heading after `#`.

import Foundation

let files = FileManager.default
var faults = 0
func report(_ page: String, _ fault: String) {
  print("\(page): \(fault)")
  faults += 1
}

func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

/// The paths of all files below a folder that end in one of these ways.
func paths(below folder: String, _ suffixes: String...) -> [String] {
  (files.subpaths(atPath: folder) ?? []).sorted().filter { path in suffixes.contains { path.hasSuffix($0) } }
    .map { "\(folder)/\($0)" }
}

/// The last component of a path, without its extension.
func name(of path: String) -> String {
  URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
}

/// Changes a text outside of its blocks of code.
func replacingProse(in text: String, _ change: (String) -> String) -> String {
  let parts = text.components(separatedBy: "```")
  return parts.enumerated().map { $0 % 2 == 0 ? change($1) : $1 }.joined(separator: "```")
}

/// The anchors of a page's headings, as DocC makes them. GitHub makes the same ones in small letters.
func anchors(of path: String) throws -> [String] {
  var anchors: [String] = []
  _ = replacingProse(in: try text(of: path)) { prose in
    for heading in prose.split(separator: "\n") where heading.hasPrefix("#") {
      let title = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
      let anchor = title.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      anchors.append(anchor)
    }
    return prose
  }
  return anchors
}

/// The file and the heading to which a relative link of a page leads, or nil after a report; no heading is "".
func target(of link: String, in page: String) throws -> (path: String, anchor: String)? {
  let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  let folder = (page as NSString).deletingLastPathComponent
  let path =
    parts[0].isEmpty ? page : ((folder as NSString).appendingPathComponent(parts[0]) as NSString).standardizingPath
  let relative = URL(fileURLWithPath: path).standardizedFileURL.path.dropFirst(files.currentDirectoryPath.count + 1)
  guard files.fileExists(atPath: path) else {
    report(page, "the link \(link) leads nowhere")
    return nil
  }
  if parts.count == 1 || !path.hasSuffix(".md") { return (String(relative), "") }
  guard let anchor = try anchors(of: path).first(where: { $0.lowercased() == parts[1] }) else {
    report(page, "the link \(link) leads to no heading")
    return nil
  }
  return (String(relative), anchor)
}

/// The address on the site of a page in Markdown, from a page of the module; nil if the site does not have the page.
func address(of path: String, anchor: String, from module: String) -> String? {
  let parts = path.split(separator: "/")
  let suffix = anchor.isEmpty ? "" : "#\(anchor)"
  if parts.count == 2, parts[0] == "Docs", path.hasSuffix(".md") {
    return
      (module == "Assemblage" ? "doc:\(name(of: path))" : "/documentation/assemblage/\(name(of: path).lowercased())")
      + suffix
  }
  if parts.count == 4, parts[2].hasSuffix(".docc"), path.hasSuffix(".md") {
    let page = parts[1] == name(of: path) ? "" : "/\(name(of: path))"
    return "/documentation/\(parts[1])\(page)".lowercased() + suffix
  }
  return nil
}

/// A heading, a picture with a dark variant, a picture or a link, or code.
let token =
  #/
  (?<heading> ^\#+\ [^\n]*)
  | <picture>.*?<img\ alt="(?<alt>[^"]*)"\ src="(?<source>[^"]*)">\s*</picture>
  | (?<mark> !?)\[(?<title> (?:[^\]`]|`[^`]*`)*)\]\((?<link> [^)\s]+)\)
  | ``[^`]+``
  | `(?<code> [^`]+)`
  /#.dotMatchesNewlines().anchorsMatchLineEndings()

/// A page with links of DocC.
func onSite(_ page: String, of module: String, types: Set<String>) throws -> String {
  replacingProse(in: try text(of: page)) { prose in
    prose.replacing(token) { match in
      let whole = String(match.0)
      if match.heading != nil { return whole }
      if let source = match.source { return "![\(match.alt ?? "")](\(name(of: String(source))))" }
      if let code = match.code.map(String.init) {
        if types.contains(code) { return "``\(code)``" }
        guard code.hasPrefix("Docs/"), let link = address(of: code, anchor: "", from: module) else { return whole }
        return "[\(title(of: code))](\(link))"
      }
      guard let link = match.link.map(String.init), let title = match.title else { return whole }
      if link.contains("://") || link.hasPrefix("mailto:") || link.hasPrefix("/documentation/") { return whole }
      if match.mark == "!" { return "![\(title)](\(name(of: link)))" }
      guard let (path, anchor) = try? target(of: link, in: page) else { return whole }
      return address(of: path, anchor: anchor, from: module).map { "[\(title)](\($0))" } ?? String(title)
    }
  }
}

/// The first heading of a page.
func title(of page: String) -> String {
  let heading = (try? text(of: page))?.prefix { $0 != "\n" } ?? ""
  return String(heading.drop { $0 == "#" || $0 == " " })
}

// The links of the repository.
let catalogs = paths(below: "Sources", ".docc")
let pages = ["README.md"] + paths(below: "Docs", ".md") + paths(below: "Sources", ".md")
for page in pages {
  _ = try replacingProse(in: text(of: page)) { prose in
    for match in prose.matches(of: #/`[^`]*`|\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/#) {
      let link = String(match.1 ?? match.2 ?? "")
      if link.isEmpty || link.contains("://") || link.hasPrefix("mailto:") { continue }
      // A browser checks the links from one module to another.
      if page.contains(".docc/"), link.hasPrefix("/documentation/") { continue }
      if page.contains(".docc/"), !link.hasSuffix(".svg") { report(page, "GitHub's link \(link) is in a catalog") }
      _ = try? target(of: link, in: page)
    }
    return prose
  }
}

// The groups of guides.
let guides = paths(below: "Docs", ".md").filter { $0.split(separator: "/").count == 2 }
let list = try text(of: "README.md").components(separatedBy: "\n## Read on\n")[1].components(separatedBy: "\n## ")[0]
var grouped: Set<String> = []
let groups = list.components(separatedBy: "\n- **").dropFirst().map { group in
  let links = group.matches(of: #/\]\((Docs/\w+\.md)\)/#).map { String($0.1) }
  grouped.formUnion(links)
  return "### \(group.prefix { $0 != ":" })\n\n" + links.map { "- <doc:\(name(of: $0))>\n" }.joined()
}
for guide in guides where !grouped.contains(guide) {
  report(guide, "the list \"Read on\" of README.md does not name it")
}

// The catalogs.
let output = CommandLine.arguments[1]
for catalog in catalogs {
  let module = name(of: catalog), copy = "\(output)/\(module).docc"
  try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
  var types: Set<String> = [], sources = paths(below: catalog, ".md"), pictures = paths(below: catalog, ".svg")
  if module == "Assemblage" {
    types = Set(try text(of: sources[0]).matches(of: #/- ``(\w+)``/#).map { String($0.1) })
    sources += guides
    pictures += paths(below: "Docs", ".svg", ".png")
  }
  for source in sources {
    var page = try onSite(source, of: module, types: types)
    if source == "Sources/Assemblage/Assemblage.docc/Assemblage.md" {
      page = page.replacing("\n## Topics\n", with: "\n## Topics\n\n\(groups.joined(separator: "\n"))")
    }
    try page.write(toFile: "\(copy)/\(name(of: source)).md", atomically: true, encoding: .utf8)
  }
  for picture in pictures {
    let file = (picture as NSString).lastPathComponent.replacing("-dark.", with: "~dark.")
    try files.copyItem(atPath: picture, toPath: "\(copy)/\(file)")
  }
}
print("\(pages.count) pages in Markdown, \(guides.count) guides, \(catalogs.count) catalogs: \(faults) faults")
exit(faults == 0 ? 0 : 1)
