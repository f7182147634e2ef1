// Opens the pages of a site of `docc` in a browser, and prints each fault; exit code 1 if there are any.
//
//   swift .ci/browser.swift BROWSER FOLDER BASE PICTURE
//
// BROWSER is Chromium. FOLDER is the root of a host, and the site lies in its folder BASE, which may be empty. The first
// page of the site, the page of each module and each article have to render their headline. The links and pictures of
// these pages have to lead to files, and the links to headings of these pages to elements with this id. Each file that
// a page loads has to be there. PICTURE is a file for a picture of the first page.
//
// The browser reads commands from file 3 and writes answers to file 4, in JSON, each with a zero at the end. This
// script answers the requests of the pages from the folder, so there is no server.

import Foundation

let browser = CommandLine.arguments[1], folder = CommandLine.arguments[2]
let base = CommandLine.arguments[3].isEmpty ? "" : "/\(CommandLine.arguments[3])"
let picture = CommandLine.arguments[4]
let host = "http://localhost"
let files = FileManager.default

setvbuf(stdout, nil, _IOLBF, 0)
var faults = 0
func report(_ page: String, _ fault: String) {
  print("\(page): \(fault)")
  faults += 1
}

let process = Process(), commands = Pipe(), answers = Pipe()
let profile = files.temporaryDirectory.appendingPathComponent("profile-\(UUID().uuidString)").path
process.executableURL = URL(fileURLWithPath: "/bin/sh")
// As root, Chromium runs without a sandbox only. The pages are the site's own.
process.arguments = [
  "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", browser, "--headless", "--no-sandbox",
  "--disable-gpu",
  "--user-data-dir=\(profile)", "--remote-debugging-pipe",
]
process.standardInput = commands
process.standardOutput = answers
try process.run()

/// The file for a path of the host: a folder is its first page.
func file(for path: String) -> String? {
  let file = folder + (path.removingPercentEncoding ?? path)
  var isFolder: ObjCBool = false
  guard files.fileExists(atPath: file, isDirectory: &isFolder) else { return nil }
  if !isFolder.boolValue { return file }
  return files.fileExists(atPath: file + "/index.html") ? file + "/index.html" : nil
}

/// The path and the heading of an address of the host; nil for other addresses.
func parts(of address: String) -> (path: String, heading: String?)? {
  guard address.hasPrefix(host + "/") else { return nil }
  let parts = address.dropFirst(host.count).split(separator: "#", maxSplits: 1).map(String.init)
  return (parts[0], parts.count == 2 ? parts[1] : nil)
}

let types = [
  "css": "text/css", "html": "text/html", "ico": "image/x-icon", "js": "text/javascript", "json": "application/json",
  "png": "image/png", "svg": "image/svg+xml",
]
var session: String?, sent = 0, received = Data()

func send(_ method: String, _ parameters: [String: Any]) throws {
  sent += 1
  var command: [String: Any] = ["id": sent, "method": method, "params": parameters]
  command["sessionId"] = session
  try commands.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: command) + [0])
}

/// Answers a request of a page.
func answer(_ request: [String: Any]) throws {
  let address = (request["request"] as? [String: Any])?["url"] as? String ?? ""
  let path = parts(of: address)?.path ?? address
  let found = file(for: path)
  // A site may have settings for colours; this one has none.
  if found == nil, !path.hasSuffix("/theme-settings.json") {
    report(path, "a page needs this file, which does not exist")
  }
  let type = found.flatMap { types[URL(fileURLWithPath: $0).pathExtension] } ?? "text/plain"
  try send(
    "Fetch.fulfillRequest",
    [
      "requestId": request["requestId"] ?? "", "responseCode": found == nil ? 404 : 200,
      "responseHeaders": [["name": "Content-Type", "value": type]],
      "body": try found.map { try Data(contentsOf: URL(fileURLWithPath: $0)).base64EncodedString() } ?? "",
    ])
}

/// Sends a command, and answers requests until the browser has answered the command.
func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
  try send(method, parameters)
  let id = sent
  while true {
    while let end = received.firstIndex(of: 0) {
      let message = try JSONSerialization.jsonObject(with: received[..<end]) as? [String: Any] ?? [:]
      received = Data(received[(end + 1)...])
      if message["method"] as? String == "Fetch.requestPaused" {
        try answer(message["params"] as? [String: Any] ?? [:])
      } else if message["id"] as? Int == id {
        return message["result"] as? [String: Any] ?? [:]
      }
    }
    let data = answers.fileHandleForReading.availableData
    if data.isEmpty { fatalError("the browser has ended") }
    received += data
  }
}

/// What the browser has made of a page.
struct Page: Decodable {
  let headline: String
  let ids: Set<String>
  let links: Set<String>
  let pictures: Set<String>
}

/// Evaluates a script on the page, again until it returns a text; nil after a minute.
func evaluate(_ script: String) throws -> String? {
  for _ in 0..<600 {
    let result = try call("Runtime.evaluate", ["expression": script])["result"] as? [String: Any]
    if result?["type"] as? String == "string" { return result?["value"] as? String }
    Thread.sleep(forTimeInterval: 0.1)
  }
  return nil
}

/// Opens a page, and waits until it has a headline.
func open(_ path: String) throws -> Page? {
  _ = try call("Page.navigate", ["url": host + path])
  let page = try evaluate(
    """
    JSON.stringify({
      headline: document.querySelector("h1.title").textContent.trim(),
      ids: [...document.querySelectorAll("[id]")].map(element => element.id),
      links: [...document.querySelectorAll("a[href]")].map(link => link.href),
      pictures: [...document.images].map(image => image.currentSrc || image.src) })
    """)
  return try page.map { try JSONDecoder().decode(Page.self, from: Data($0.utf8)) }
}

/// The part of a page's data that has its title.
struct PageData: Decodable {
  struct Metadata: Decodable {
    let title: String?
    let role: String?
  }
  let metadata: Metadata
}

// The pages to open, with their titles.
var titles: [String: String] = [:]
let data = "\(folder)\(base)/data"
for path in (files.subpaths(atPath: data) ?? []) where path.hasSuffix(".json") {
  let page = try JSONDecoder().decode(PageData.self, from: Data(contentsOf: URL(fileURLWithPath: "\(data)/\(path)")))
  if ["article", "collection"].contains(page.metadata.role) {
    titles["\(base)/\(path.dropLast(".json".count))/"] = page.metadata.title
  }
}
let first = "\(base)/"
titles[first] = titles["\(base)/documentation/assemblage/"]

let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
session = try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
_ = try call("Fetch.enable")
_ = try call(
  "Emulation.setDeviceMetricsOverride", ["width": 1280, "height": 1600, "deviceScaleFactor": 1, "mobile": false])
var pages: [String: Page] = [:]
for (path, title) in titles.sorted(by: { $0.key < $1.key }) {
  let page = try open(path)
  if page?.headline != title { report(path, "the headline is \"\(page?.headline ?? "")\" instead of \"\(title)\"") }
  pages[path] = page
}
_ = try open(first)
// The list of pages beside the page is loaded later.
if try evaluate("document.querySelector('.leaf-link').textContent") == nil {
  report(first, "there is no list of pages")
}
let image = try call("Page.captureScreenshot")["data"] as? String ?? ""
try (Data(base64Encoded: image) ?? Data()).write(to: URL(fileURLWithPath: picture))
session = nil
try send("Browser.close", [:])
process.waitUntilExit()
try? files.removeItem(atPath: profile)

var links = 0
for (path, page) in pages.sorted(by: { $0.key < $1.key }) {
  for address in page.links.union(page.pictures).sorted() {
    guard let (target, heading) = parts(of: address) else { continue }
    links += 1
    if file(for: target) == nil {
      report(path, "the link \(target) leads nowhere")
    } else if let heading, let other = pages[target.hasSuffix("/") ? target : target + "/"],
      !other.ids.contains(heading), !other.ids.contains(heading.removingPercentEncoding ?? "")
    {
      report(path, "the link \(target)#\(heading) leads to no heading")
    }
  }
}
print("\(pages.count) pages in a browser, \(links) links and pictures: \(faults) faults; a picture is in \(picture)")
exit(faults == 0 ? 0 : 1)
