import AssetLibrary
import FolderLibrary
import PhotoPicker
import RemoteLibrary
import System
import SystemPackage

/// The sources that a call names, as far as they are there.
struct SourceList {
  private(set) var paths: [FilePath] = []
  /// Folders on servers.
  private(set) var remotes: [ServerAddress] = []
  /// Those that are not.
  private(set) var missing: [AssetError] = []

  /// Standard input, where it is not read to its end first.
  private(set) var stream: CandidateStream?

  /// - Parameter streams: whether the paths on standard input are taken as they come. Then those of other sources that are
  ///   not there are counted with them, and none is missing here.
  /// - Throws: `Failure` if standard input can't be read, or if sources were named and none of them is there.
  init(_ request: LibraryRequest, streams: Bool = false) throws(Failure) {
    if request.isDemo {
      paths = [try DemoLibrary.folder()]
      return
    }
    guard !request.sources.isEmpty else {
      paths = [try Self.pictures()]
      return
    }
    // Who types the paths needs the terminal for that until they are complete.
    let streams = streams && !StandardStream.input.isTerminal
    var words: [SourceWord] = []
    var place: Int?
    for word in request.sources {
      if word == "-", streams {
        place = place ?? words.count
      } else if word == "-" {
        words += try SourceWord.wordsFromInput(isNulSeparated: request.isNulSeparated)
      } else {
        words.append(
          SourceWord(ArgumentBytes.bytes(word), hint: SubcommandName.hint(forMissing: word)))
      }
    }
    let locator = SourceWord.locate(&words)
    remotes = ServerAddress.outermost(words.compactMap(\.remote))
    let before = place.map { words[..<$0].flatMap(\.paths).count }
    paths = words.flatMap(\.paths)
    missing = words.compactMap(\.issue)
    if let before {
      stream = try makeStream(request, place: before, locator)
      missing = []
      return
    }
    guard paths.isEmpty, remotes.isEmpty, let last = missing.popLast() else { return }
    request.verbosity.report(missing)
    throw .error(last.description)
  }

  private func makeStream(
    _ request: LibraryRequest, place: Int, _ locator: AssetLocator
  ) throws(Failure) -> CandidateStream {
    // Where it is closed, the next file that is opened gets its number.
    guard fcntl(STDIN_FILENO, F_GETFD) >= 0 else {
      throw .error("standard input: \(Errno(rawValue: errno))")
    }
    var tally = IssueTally(namesKept: request.verbosity.mostNamed)
    for issue in missing { tally.add(issue) }
    return CandidateStream(
      reading: STDIN_FILENO, isNulSeparated: request.isNulSeparated, place: place,
      standsAlone: paths.isEmpty && remotes.isEmpty, missing: tally
    ) {
      PathArgument.path($0)
    } files: { bytes in
      AssetLocator.identifier(bytes).flatMap { locator.files(of: [$0])[$0] } ?? []
    }
  }

  private static func pictures() throws(Failure) -> FilePath {
    let pictures = UserDirectories.pictures
    guard
      !MountProbes.shared.answers(pictures, within: MountProbes.shortPatience)
        || (try? pictures.stat()) != nil
    else {
      throw .error("\(pictures.string): no such folder; name one: tpick FOLDER, or try tpick --demo")
    }
    return pictures
  }

}

extension SourceWord {
  /// What stands on standard input, which is read to its end.
  static func wordsFromInput(isNulSeparated: Bool) throws(Failure) -> [SourceWord] {
    let bytes: [UInt8]
    do {
      bytes = try FileText.bytes(of: .standardInput)
    } catch {
      throw .error("standard input: \(error)")
    }
    if !isNulSeparated, bytes.contains(0) { throw .nulOnInput }
    return bytes.split(separator: isNulSeparated ? 0 : 0x0A).map { SourceWord(Array($0)) }
  }
}

extension Failure {
  fileprivate static let nulOnInput = Failure.usage(
    "standard input: contains NUL bytes; use --read0 for NUL-separated paths")

  /// What the end of a stream means to the caller.
  init(_ failure: CandidateStream.Failure) {
    self =
      switch failure {
      case .holdsNUL: .nulOnInput
      case .unreadable(let reason): .error("standard input: \(reason)")
      case .nothingThere(let last): .error(last.description)
      }
  }
}

/// What an argument, or a line of a list, means: the path of something that is there, else a place on a server, else the asset
/// that has this identifier.
struct SourceWord {
  /// The path that it is, if it is one.
  let path: FilePath
  /// What it leads to, the file first that stands for the asset; empty if that is nothing on this machine.
  private(set) var paths: [FilePath] = []
  /// Where on a server it leads to.
  private(set) var remote: ServerAddress?
  /// Why it leads to nothing.
  private(set) var issue: AssetError?
  /// What it may mean otherwise, before it was looked up.
  private var identifier: LocalIdentifier?
  private var isFolder = false

  /// Looks whether there is something at a path.
  ///
  /// What does not answer passes: the library says so, while the others go on.
  /// - Parameters:
  ///   - bytes: as the word was written.
  ///   - hint: follows the reason why it is not there.
  init(_ bytes: [UInt8], hint: @autoclosure () -> String = "") {
    path = PathArgument.path(bytes)
    if let remote = RemoteWord.address(bytes) {
      self.remote = remote
      return
    }
    do throws(AssetError) {
      isFolder = try path.isFolder() ?? false
      paths = [path]
    } catch {
      issue = AssetError(error.subject, error.reason + hint())
      identifier = AssetLocator.identifier(path.bytes)
    }
  }

  /// Looks up all that may be identifiers: in what was read before, in the folders among the words, or where there are none
  /// in the pictures folder.
  /// - Returns: what else can be looked up in.
  @discardableResult
  static func locate(_ words: inout [SourceWord]) -> AssetLocator {
    let folders = words.filter(\.isFolder).map(\.path)
    let locator = AssetLocator(
      UserDirectories.locations,
      library: folders.isEmpty ? [UserDirectories.pictures] : folders)
    let found = locator.files(of: words.compactMap(\.identifier))
    let remotes = words.compactMap(\.remote)
    for index in words.indices {
      guard let identifier = words[index].identifier else { continue }
      if let files = found[identifier] {
        if let place = LibraryBackend.servers.place(files.first) {
          words[index].take(place, remotes)
        } else {
          words[index].paths = files
          words[index].issue = nil
        }
      } else if AssetLocator.isPlausible(identifier) {
        words[index].issue?.reason += ", and no photo has this identifier"
      }
    }
    return locator
  }

  /// Takes the place on a server that its identifier leads to.
  /// - Parameter remotes: those that other words name.
  private mutating func take(_ place: RemotePlace, _ remotes: [ServerAddress]) {
    remote = place.address(among: remotes)
    if remote == nil {
      issue?.reason +=
        ", and the photo with this identifier is on a server whose options are not kept: name the server as well"
    } else {
      issue = nil
    }
  }
}

/// A source as the user wrote it, where it is on a server.
enum RemoteWord {
  /// The address that a word is; nil where it is none, or the path of something that is here: that comes first.
  static func address(_ word: [UInt8]) -> ServerAddress? {
    let servers = LibraryBackend.servers
    let isMarked = servers.isMarked(word)
    // Lists of URIs (RFC 2483) end their lines with CR and LF.
    let word = isMarked && word.last == 0x0D ? word.dropLast() : word
    guard word.contains(UInt8(ascii: ":")), let text = String(validating: word, as: UTF8.self),
      let address = servers.address(text)
    else { return nil }
    if isMarked { return address }
    return (try? PathArgument.path(word).stat()) == nil ? address : nil
  }
}
