import AssetLibrary
import Fixtures
import Foundation
import Results
import SystemPackage
import Testing

@testable import Export
import Glibc

/// How copies get their names: notifications to watchers of the folder, existing files, and created folders.
@Suite struct PlacementTests {
  private let folder: TemporaryFolder
  private var target: FilePath { FilePath("\(folder.path)/out") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("out")
  }

  // MARK: Watchers

  /// A way in which a file gets its final name.
  enum Way: String, CaseIterable, Sendable {
    case unnamed, hidden, otherName, unnamedReplacing, hiddenReplacing, readOnly
  }

  /// The names that a watcher of a folder sees moved there, or closed after writing, up to the last of the expected
  /// ones.
  ///
  /// A child process of another test has a copy of each descriptor until it calls exec: only then the file is closed.
  private func heard(
    in path: String, until expected: [String], _ body: () throws -> Void
  ) throws -> [String] {
    let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    defer { close(watch) }
    let number = inotify_add_watch(watch, path, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO))
    try #require(number >= 0)
    try body()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var names: [String] = []
    var news = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    // Only a failure takes that long.
    while !expected.allSatisfy({ names.contains($0) }), poll(&news, 1, 600_000) != 0 {
      let count = read(watch, &buffer, buffer.count)
      var at = 0
      while at + 16 <= count {
        let length = buffer[(at + 12)..<(at + 16)].reversed().reduce(0) { $0 << 8 | Int($1) }
        names.append(
          String(decoding: buffer[(at + 16)..<(at + 16 + length)].prefix { $0 != 0 }, as: UTF8.self))
        at += 16 + length
      }
    }
    return names
  }

  @Test(arguments: Way.allCases)
  func `Watchers of a folder see the final name once the file is complete, however it was written`(
    way: Way
  ) throws {
    let replaces = way == .unnamedReplacing || way == .hiddenReplacing
    if replaces { try folder.write([1], to: "out/final.jpg") }
    let original = String(decoding: try folder.write(Array("whole".utf8), to: "in/a.jpg"), as: UTF8.self)
    if way == .readOnly { chmod(original, 0o400) }
    let names = try heard(in: target.string, until: ["final.jpg"]) {
      let isUnnamed = ![.hidden, .hiddenReplacing].contains(way)
      let file = try NewFile(in: try TargetFolder(target), for: "x", isUnnamed: isUnnamed)
      let descriptor = open(original, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(write(file.descriptor, "whole", 5) == 5)
      try file.finish(like: FileTraits(descriptor))
      if way == .otherName { #expect(try file.place(as: Array("first.jpg".utf8))) }
      #expect(try file.place(as: Array("final.jpg".utf8), replaces: replaces))
    }
    #expect(names.contains("final.jpg"), "\(names)")
    #expect(try folder.bytes(of: "out/final.jpg") == Array("whole".utf8))
    #expect(try files() == ["final.jpg"])
  }

  @Test func `Watchers see each copy of an export`() throws {
    let names = try heard(in: target.string, until: ["a.jpg", "b.jpg", "c.jpg"]) {
      _ = try export(["a", "b", "c"].map { try asset($0, [1, 2, 3]) })
    }
    #expect(names.filter { $0.hasSuffix(".jpg") }.sorted() == ["a.jpg", "b.jpg", "c.jpg"])
  }

  // MARK: Existing files

  private func asset(
    _ name: String, _ bytes: [UInt8], partner: [UInt8]? = nil, in place: String = "in"
  ) throws
    -> Asset
  {
    let path = try folder.write(bytes, to: "\(place)/\(name).jpg")
    var asset = ScriptedStore.asset(("\(place)/\(name).jpg", bytes.count))
    asset.resources[0].path = FilePath(bytes: path)
    if let partner {
      let path = try folder.write(partner, to: "\(place)/\(name).MOV")
      asset.resources.append(
        AssetResource(
          type: .pairedVideo, path: FilePath(bytes: path),
          uniformTypeIdentifier: "com.apple.quicktime-movie", byteCount: Int64(partner.count)))
    }
    return asset
  }

  private func export(
    _ assets: [Asset], _ existing: ExportOptions.Existing = .number, name: String? = nil,
    resources: ExportOptions.Resources = .primary, maker: (any RepresentationMaker)? = nil
  ) throws -> ExportReport {
    var options = ExportOptions(resources: resources, existing: existing)
    options.name = try name.map { try ResultTemplate(Array($0.utf8)) }
    if maker != nil { options.representation.mode = .compatible }
    let report = try Exporter(ScriptedStore(), into: try TargetFolder(target), options, maker: maker)
      .export(assets, record: { AssetRecord($0) })
    #expect(report.failures.isEmpty && !report.isCancelled)
    return report
  }

  /// The files in the target, by relative path.
  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: target.string).filter { name in
      var facts = stat()
      return lstat("\(target.string)/\(name)", &facts) == 0 && facts.st_mode & S_IFMT != S_IFDIR
    }.sorted()
  }

  private func told(_ report: ExportReport) -> [String] {
    report.copies.map {
      String($0.primaryResource?.path.string.dropFirst(target.string.utf8.count + 1) ?? "")
    }
  }

  @Test func `Four runs that skip existing copies leave as many files as one`() throws {
    // Two with the same name, in any order, and one that is named like the numbered second.
    let all = [
      try asset("a", [1], partner: [5, 5]), try asset("a", [2], partner: [6], in: "other"),
      try asset("a (2)", [2, 2]), try asset("b", []),
    ]
    let first = try export(all, .skip, resources: .all)
    let names = try files()
    #expect(names.count == 6)
    for order in [all, all.reversed(), [all[1], all[0], all[3], all[2]]] {
      let inodes = ["a.jpg", "a (2).jpg"].map { FileNumber(of: target.appending($0)) }
      let report = try export(order, .skip, resources: .all)
      #expect(try files() == names)
      #expect(told(report).sorted() == told(first).sorted())
      #expect(["a.jpg", "a (2).jpg"].map { FileNumber(of: target.appending($0)) } == inodes)
    }
  }

  @Test func `An existing file with other content is not skipped: the copy gets a number`() throws {
    try folder.write([9], to: "out/a.jpg")
    try folder.link("out/b.jpg", to: "../in/b.jpg")
    try folder.makeFolder("out/c.jpg")
    let assets = try ["a", "b", "c"].map { try asset($0, [1]) }
    #expect(told(try export(assets, .skip)) == ["a (2).jpg", "b (2).jpg", "c (2).jpg"])
    #expect(told(try export(assets, .skip)) == ["a (2).jpg", "b (2).jpg", "c (2).jpg"])
    #expect(try folder.bytes(of: "out/a.jpg") == [9])
  }

  @Test func `If one file of an asset exists the others join it`() throws {
    let live = try asset("a", [1], partner: [2])
    _ = try export([live], .skip)
    #expect(try files() == ["a.jpg"])
    _ = try export([live], .skip, resources: .all)
    #expect(try files() == ["a.MOV", "a.jpg"])
  }

  private struct Maker: RepresentationMaker {
    func make(
      _ plan: RepresentationPlan, _ options: RepresentationOptions, into descriptor: Int32,
      cancellation: Cancellation, progress: (Double) -> Void
    ) throws(AssetError) -> MadeRepresentation {
      _ = write(descriptor, "made", 4)
      return .file(MadeRepresentation.Facts(uniformTypeIdentifier: "public.jpeg", suffix: "jpg"))
    }
  }

  @Test(arguments: [ExportOptions.Existing.skip, .replace])
  func `A converted file is skipped, too, if it exists`(existing: ExportOptions.Existing) throws {
    var photo = try asset("a", [1])
    photo.resources[0].uniformTypeIdentifier = "public.heic"
    for _ in 0..<3 { #expect(told(try export([photo], existing, maker: Maker())) == ["a.jpg"]) }
    #expect(try files() == ["a.jpg"])
  }

  @Test func `A copy replaces an existing file atomically, but no other copy, folder or original`() throws {
    try folder.write([9, 9], to: "out/a.jpg")
    try folder.link("out/b.jpg", to: "../in/b.jpg")
    try folder.makeFolder("out/c.jpg")
    let assets = [
      try asset("a", [1]), try asset("a", [2], in: "other"), try asset("b", [3]), try asset("c", [4]),
    ]
    for _ in 0..<2 {
      #expect(told(try export(assets, .replace)) == ["a.jpg", "a (2).jpg", "b.jpg", "c (2).jpg"])
    }
    #expect(try folder.bytes(of: "out/a.jpg") == [1] && folder.bytes(of: "out/a (2).jpg") == [2])
    // The link was replaced, and its target is unchanged.
    #expect(try folder.bytes(of: "in/b.jpg") == [3])
    #expect(try files() == ["a (2).jpg", "a.jpg", "b.jpg", "c (2).jpg"])
    // An original whose only other name is in the target.
    try folder.run("ln", "\(folder.path)/in/a.jpg", "\(target)/hard.jpg")
    let hard = try asset("hard", [7])
    #expect(told(try export([hard, assets[0]], .replace)) == ["hard (2).jpg", "a.jpg"])
  }

  // MARK: The target below the source

  @Test func `Files in the target folder are not exported, however it is reached`() throws {
    let assets = try ["a", "b"].map { try asset($0, [1]) }
    let copies = try ["a", "x"].map { try asset($0, [1], in: "out/2024") }
    try folder.link("alias", to: "out/2024")
    var aliased = copies[1]
    aliased.resources[0].path = FilePath("\(folder.path)/alias/x.jpg")
    var dotted = copies[1]
    dotted.resources[0].path = FilePath("\(folder.path)/in/../out/./2024/x.jpg")
    for _ in 0..<4 {
      let report = try export(assets + copies + [aliased, dotted], .skip)
      #expect(report.leftOut == 4 && report.copies.count == 2)
    }
    #expect(try files() == ["2024/a.jpg", "2024/x.jpg", "a.jpg", "b.jpg"])
    #expect(try export(copies).copies.isEmpty)
  }

  // MARK: Folders by dates

  @Test(arguments: [
    ("{date:%Y/%m}/{stem}", "1970/01/a.jpg"), ("{date:%Y/%m/}{stem}", "1970/01/a.jpg"),
    ("{date:%Y}/x/{stem}_{date:%d}", "1970/x/a_01.jpg"), ("{date:%Y/%m/}", "1970/01/a.jpg"),
    ("{date:%Y/%m}", "1970/01.jpg"), ("{date:%D}", "01_01_70.jpg"),
    ("{date:%Y}/{title}/{stem}", "1970/a.jpg"),
    ("{date:/%Y/../..//./%m}/{stem}", "1970/__/__/_/01/a.jpg"), ("{date:%%/}{stem}", "%/a.jpg"),
  ])
  func `Slashes in a date format create subfolders`(template: String, path: String) throws {
    let photo = try asset("a", [1])
    for existing in [ExportOptions.Existing.skip, .replace] {
      #expect(told(try export([photo], existing, name: template)) == [path])
      #expect(try files() == [path])
    }
    #expect(try ResultTemplate(Array(template.utf8)).isName)
  }

  @Test func `A link in place of a date folder is not followed`() throws {
    try folder.makeFolder("elsewhere")
    try folder.link("out/1970", to: "../elsewhere")
    let options = ExportOptions(name: try ResultTemplate(Array("{date:%Y}/{stem}".utf8)))
    let report = try Exporter(ScriptedStore(), into: try TargetFolder(target), options)
      .export([try asset("a", [1])], record: { AssetRecord($0) })
    #expect(report.failures.count == 1 && report.copies.isEmpty)
    #expect(access("\(folder.path)/elsewhere/a.jpg", F_OK) != 0)
  }
}
