import ArgumentParser
import AssetLibrary
import Configuration
import FolderLibrary
import FoundationEssentials
import Imaging
import PhotoPicker
import Pixels
import RemoteLibrary
import SystemPackage

/// `tpick cache status|clear|warm`: the caches of thumbnails and the index.
struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .cache,
    subcommands: [CacheStatus.self, CacheClear.self, CacheWarm.self])

  /// Lists the actions if none is named.
  func run() throws(Failure) {
    let actions = Self.configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
    throw .usage("cache: expected one of \(actions); for a folder of that name write ./cache")
  }

  /// The index in the cache folder.
  static var index: IndexCache {
    IndexCache(UserDirectories.locations)
  }

  /// The downloads from servers.
  static var remote: RemoteCache { RemoteCache(UserDirectories.cache) }
}

/// `tpick cache status`: prints the contents of the caches.
struct CacheStatus: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .cache, "status",
    abstract: "Print the contents and sizes of the caches.",
    usage: "tpick cache status [options]")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: DocumentFormat?

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let file = try SettingsFile(settings)
    defer { file.report() }
    let report = CacheDocument(
      UserDirectories.thumbnailDirectory, Cache.index, Cache.remote,
      originalsLimit: file.settings.originalsLimit)
    let output = format == .json ? try JSONText.line(report) + [0x0A] : CacheText.status(report)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return .success
  }
}

/// `tpick cache clear`: empties the caches.
struct CacheClear: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .cache, "clear",
    abstract: "Remove the thumbnails and the contents of the index.",
    usage: "tpick cache clear [options]",
    discussion: """
      Removes the thumbnails that tpick wrote, its records of pictures that failed, the contents of the index, and \
      originals downloaded from servers, except picked ones (--originals removes these, too). Thumbnails of other \
      programs, favorites, albums, identifiers and the sample library are kept. Safe while other instances of tpick run.
      """)

  @Flag(
    help:
      "Also remove picked originals that were downloaded from servers: printed paths of them become invalid.")
  var originals = false

  /// Clears both caches, even if one of them fails.
  func perform() throws(Failure) -> ExitStatus {
    var problems: [String] = []
    var removed: ThumbnailUsage?
    do throws(AssetError) {
      try Cache.index.clear()
    } catch {
      problems.append("\(error)")
    }
    do throws(ThumbnailError) {
      removed = try UserDirectories.thumbnailDirectory.clear()
    } catch {
      problems.append("\(error)")
    }
    for problem in problems { Messages.warn(problem) }
    let originals = Cache.remote.clear(withPicked: originals)
    guard let removed, problems.isEmpty else { return .failure }
    guard StandardStream.output.write(CacheText.removed(removed, originals)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}

/// The output of `tpick cache status` as JSON.
struct CacheDocument: Encodable {
  struct Tally: Encodable {
    var count: Int
    /// Bytes.
    var size: Int
  }

  struct Thumbnails: Encodable {
    var path: String
    var all: Tally
    var own: Tally
    var failures: Tally
    /// The maximum total size of the thumbnails that tpick wrote, in bytes.
    var limit: Int
  }

  struct Originals: Encodable {
    var path: String
    var all: Tally
    /// The picked ones, which are kept.
    var picked: Tally
    /// The size limit of the others in bytes.
    var limit: Int
  }

  struct Store: Encodable {
    var path: String
    /// Bytes; omitted if it does not exist.
    var size: Int?
  }

  var version = 1
  var thumbnails: Thumbnails
  var index: Store
  /// Downloaded from servers; omitted until there are any.
  var originals: Originals?
  /// Omitted until it has been painted.
  var sampleLibrary: Store?

  /// Measures the caches.
  /// - Parameter originalsLimit: the configured size limit of originals in bytes.
  init(_ directory: ThumbnailDirectory, _ index: IndexCache, _ remote: RemoteCache, originalsLimit: Int) {
    if remote.isThere {
      let (all, picked) = remote.originals
      originals = Originals(
        path: Self.text(remote.path), all: Tally(all), picked: Tally(picked), limit: originalsLimit)
    }
    let usage = directory.status()
    thumbnails = Thumbnails(
      path: Self.text(directory.root), all: Tally(usage.all), own: Tally(usage.own),
      failures: Tally(usage.failures), limit: ThumbnailDirectory.defaultLimit)
    self.index = Store(path: Self.text(index.path), size: index.byteCount)
    let sample = DemoLibrary.path
    sampleLibrary = Self.size(of: sample).map { Store(path: Self.text(sample), size: $0) }
  }

  private static func text(_ path: FilePath) -> String { String(decoding: path.bytes, as: UTF8.self) }

  /// The total size of the files in a folder; nil if it does not exist.
  static func size(of folder: FilePath) -> Int? {
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.string) else { return nil }
    let sizes = names.map { name in
      let status = try? folder.pushing(FilePath(name)).stat()
      return status?.type == .regular ? Int(status?.size ?? 0) : 0
    }
    return sizes.saturatedSum()
  }
}

extension CacheDocument.Tally {
  init(_ tally: RemoteCache.Tally) {
    self.init(count: tally.files, size: Int(tally.bytes))
  }

  init(_ tally: ThumbnailUsage.Tally) {
    self.init(count: tally.files, size: tally.bytes)
  }
}

/// Formats the status as readable text.
enum CacheText {
  static func status(_ document: CacheDocument) -> [UInt8] {
    let thumbnails = document.thumbnails
    var lines = [
      ("thumbnails", thumbnails.path),
      ("  all", words(thumbnails.all)),
      ("  tpick's", "\(words(thumbnails.own)) of \(MeasureText.text(ofBinaryBytes: thumbnails.limit))"),
      ("  failures", words(thumbnails.failures)),
      ("index", document.index.path),
      ("  size", document.index.size.map { MeasureText.text(ofBinaryBytes: $0) } ?? "none yet"),
    ]
    if let originals = document.originals {
      lines += [
        ("originals", originals.path),
        (
          "  all",
          "\(words(originals.all)); up to \(MeasureText.text(ofBinaryBytes: originals.limit)), not counting picked ones"
        ),
        ("  picked", words(originals.picked)),
      ]
    }
    if let sample = document.sampleLibrary {
      lines += [
        ("sample library", sample.path), ("  size", MeasureText.text(ofBinaryBytes: sample.size ?? 0)),
      ]
    }
    return Array(
      lines.map { name, value in
        let padding = String(repeating: " ", count: max(1, 16 - name.count))
        return "\(name)\(padding)\(OutputText.escaped(value))\n"
      }.joined().utf8)
  }

  static func removed(_ usage: ThumbnailUsage, _ originals: RemoteCache.Tally) -> [UInt8] {
    let brought =
      originals.files == 0
      ? "" : " and \(words(CacheDocument.Tally(originals))) of downloaded originals"
    let own = CacheDocument.Tally(usage.own)
    return Array(
      "removed \(Wording.count(own.count, "thumbnail")) (\(MeasureText.text(ofBinaryBytes: own.size))) and \(Wording.count(usage.failures.files, "failure"))\(brought); the index is empty\n"
        .utf8)
  }

  private static func words(_ tally: CacheDocument.Tally) -> String {
    "\(Wording.count(tally.count, "file")), \(MeasureText.text(ofBinaryBytes: tally.size))"
  }
}
