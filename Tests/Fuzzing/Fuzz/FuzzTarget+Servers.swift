import CCurl
import Fixtures
@testable import FolderLibrary
import FoundationEssentials
@testable import Rclone
@testable import RemoteLibrary

/// Server data as it arrives through rclone: listings, lengths, ranges, times, names and errors.
extension FuzzTarget {
  static let servers = FuzzTarget(
    name: "servers",
    words: [
      "\"Name\":\"", "\"Size\":", "\"ModTime\":\"", "\"IsDir\":true", "\"ID\":\"", "\"Hashes\":{", "bytes ",
      "/*",
      "9223372036854775807", "-1", "1e400", "../", "\\u0000", "\\n", "\\ud800", "T24:60:60Z", " GMT", "error",
    ],
    // rclone's answers are read into memory completely: 64 KiB of JSON are some tens of thousands of values.
    memory: { _ in 64 << 20 },
    seeds: {
      [
        Self.answer(size: 4096, modified: "2024-05-01T10:00:00.123456789+02:00", range: "bytes 0-99/4096"),
        Self.answer(size: .max, modified: "9999-12-31T23:59:60Z", range: "bytes 10-19/*"),
        Self.answer(size: -1, modified: "0000-01-01T00:00:00-23:59", range: "bytes 0--1"),
        Array(
          "bytes 5-4/3\nSun, 06 Nov 1994 08:49:37 GMT\n416\n{\"error\":\"object not found: 401 pass=x\"}".utf8
        ),
      ]
    }
  ) { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4 else { return false }
    let texts = lines.map { String(decoding: $0, as: UTF8.self) }
    readHead(range: texts[0], modified: texts[1], status: Int(texts[2]) ?? 206)
    let body = Data(lines[3])
    if let error = try? JSONDecoder().decode(ErrorAnswer.self, from: body) {
      let told = RcloneMessage.cleaned(error.error, hiding: ["secret"])
      precondition(!told.contains("secret") && !told.unicodeScalars.contains { $0.value < 0x20 })
    }
    guard let answer = try? JSONDecoder().decode(ListAnswer.self, from: body) else { return true }
    readListing(answer.list.map(RcloneEntry.init))
    return true
  }

  private static func answer(size: Int64, modified: String, range: String) -> [UInt8] {
    let entries = ["a.jpg", "a.jpg", "b\\n.heic", "..", "x/y", ".tpick", "sub"].enumerated().map {
      index, name in
      "{\"Name\":\"\(name)\",\"Size\":\(size),\"ModTime\":\"\(modified)\",\"IsDir\":\(name == "sub"),"
        + "\"ID\":\"\(index % 3)\",\"Hashes\":{\"SHA-1\":\"AB\"}}"
    }
    return Array(
      "\(range)\nSun, 06 Nov 1994 08:49:37 GMT\n206\n{\"list\":[\(entries.joined(separator: ","))]}".utf8)
  }

  /// Whatever a header says, bytes count as a range only if they are declared to be that range.
  private static func readHead(range: String, modified: String, status: Int) {
    let found = HTTPContentRange(range)
    let seconds = HTTPDate.seconds(modified)
    var head = HTTPHead(http_head())
    (head.status, head.contentRange, head.lastModified) = (status, found, seconds)
    head.contentLength = found.map { $0.bytes.upperBound - $0.bytes.lowerBound }
    let file = RcloneRemote.KnownFile(path: "a", size: 4096, modified: nil)
    for wanted in [0..<100, 100..<4096, 4095..<4096] as [Range<Int64>] {
      let problem = RcloneRemote.problem(with: head, file, wanted)
      guard problem == nil, status == 206, let found else { continue }
      precondition(found.bytes.lowerBound == wanted.lowerBound && (found.total ?? 4096) == 4096)
    }
  }

  /// Entries of the library have valid names, and numbers that can be added to.
  private static func readListing(_ entries: [RcloneEntry]) {
    var listing = RemoteListing()
    let keys = ServerSource.keys(
      of: entries.map {
        ServerEntry(
          name: Array($0.name.utf8), size: $0.size, modified: $0.modified, isFolder: $0.isFolder,
          identifier: $0.id)
      }, in: Array("rclone:nas:".utf8))
    precondition(keys.count == entries.count)
    for (entry, key) in zip(entries, keys) {
      let told = RemoteListing.Entry(
        name: Array(entry.name.utf8), key: key, size: entry.size, modified: entry.modified)
      precondition(told.size >= RemoteFile.unknownSize && told.size < 1 << 60)
      listing.add(told, isFolder: entry.isFolder)
    }
    for entry in listing.files + listing.folders {
      precondition(!entry.name.isEmpty && !entry.name.contains(0) && !entry.name.contains(UInt8(ascii: "/")))
      precondition(entry.name != Array("..".utf8) && entry.name.count <= 255)
    }
    _ = listing.contents
    let folder = RemoteFolder(
      "/a", called: "nas:a", identity: FileIdentity(device: 1, inode: 2), listing.files)
    for index in folder.names.indices {
      let status = folder.names.withCString(index, folder.status(of:))
      precondition(status != nil)
      _ = folder.subject(of: folder.names[index])
    }
    let address = RemoteAddress("nas:Photos")
    for entry in listing.files {
      let name = String(decoding: entry.name, as: UTF8.self)
      // A printed address is parsed as the same one.
      guard let printed = address?.appending(name), !name.hasPrefix("."), printed.path.hasSuffix(name) else {
        continue
      }
      precondition(RemoteAddress(printed.text) == printed)
    }
  }
}
