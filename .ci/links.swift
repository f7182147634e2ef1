// Checks the links of a site that `docc merge` has made, and prints each that leads nowhere; exit code 1 if there are any.
//
//   swift .ci/links.swift SITE
//
// Each page and each picture to which the data of a page refers has to be there.

import Foundation

var count = 0
func report(_ page: String, _ link: String) {
  print("\(page): the link \(link) leads nowhere")
  count += 1
}

let files = FileManager.default

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
print("\(checked) references of the site: \(count) links lead nowhere")
exit(count == 0 ? 0 : 1)
