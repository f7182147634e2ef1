// Checks links, and prints each that leads nowhere; exit code 1 if there are any.
//
//   swift .ci/links.swift SITE
//
// First the relative links and pictures of the guides, the decisions and the pages of the catalogs: the file has to be
// there, and the heading after `#`. A page of a catalog links to another page with `<doc:Page>`, because a relative link
// leads nowhere on a site. Then the site that `docc merge` has made: each page and each picture that a page refers to.

import Foundation

var count = 0
func report(_ page: String, _ link: String) {
  print("\(page): the link \(link) leads nowhere")
  count += 1
}

/// The text of a page without code.
func prose(_ path: String) throws -> String {
  let parts = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "```")
  return stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined()
}

/// The anchors of a page's headings, as GitHub makes them.
func anchors(of path: String) throws -> Set<String> {
  let headings = try prose(path).split(separator: "\n").filter { $0.hasPrefix("#") }
  return Set(
    headings.map { heading in
      let title = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
      return title.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    })
}

let files = FileManager.default
let pages =
  ["README.md"]
  + ["Docs", "Sources"].flatMap { folder in
    (files.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
  }.sorted()
for page in pages {
  for match in try prose(page).matches(of: #/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/#) {
    let link = String(match.1 ?? match.2 ?? "")
    if link.contains("://") || link.hasPrefix("mailto:") { continue }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let folder = URL(fileURLWithPath: page).deletingLastPathComponent()
    let target = parts[0].isEmpty ? page : folder.appendingPathComponent(parts[0]).standardizedFileURL.path
    let isOnSite = !page.contains(".docc/") || target.hasSuffix(".svg")
    if !isOnSite || !files.fileExists(atPath: target) {
      report(page, link)
    } else if parts.count == 2, target.hasSuffix(".md"), try !anchors(of: target).contains(parts[1]) {
      report(page, link)
    }
  }
}

struct Page: Decodable {
  struct Reference: Decodable {
    struct Variant: Decodable { let url: String }
    let type: String
    let url: String?
    let variants: [Variant]?
  }
  let references: [String: Reference]?
}

var checked = 0
for site in CommandLine.arguments.dropFirst() {
  for path in files.subpaths(atPath: "\(site)/data") ?? [] where path.hasSuffix(".json") {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(site)/data/\(path)"))
    for reference in try (JSONDecoder().decode(Page.self, from: data).references ?? [:]).values {
      switch reference.type {
      case "topic":
        let url = reference.url?.split(separator: "#").first ?? ""
        if !files.fileExists(atPath: "\(site)\(url)/index.html") { report(path, String(url)) }
      case "image":
        for variant in reference.variants ?? [] where !files.fileExists(atPath: "\(site)\(variant.url)") {
          report(path, variant.url)
        }
      default: break
      }
      checked += 1
    }
  }
}
print("\(pages.count) pages in Markdown and \(checked) references of the site: \(count) links lead nowhere")
exit(count == 0 ? 0 : 1)
