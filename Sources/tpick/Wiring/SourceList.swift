import AssetLibrary
import FolderLibrary
import PhotoPicker
import RemoteLibrary
import System
import SystemPackage

/// The named sources that exist.
struct SourceList {
  private(set) var paths: [FilePath] = []
  /// Folders on servers.
  private(set) var remotes: [ServerAddress] = []
  /// The sources that do not exist.
  private(set) var missing: [AssetError] = []

  /// Standard input, unless it is read to its end first.
  private(set) var stream: CandidateStream?

  /// - Parameter streams: whether the paths on standard input are processed while they arrive. Missing sources are then
  ///   counted with them, and none is missing here.
  /// - Throws: `Failure` if standard input can't be read, or if sources were named and none of them exists.
  init(_ request: LibraryRequest, streams: Bool = false) throws(Failure) {
    if request.isDemo {
      paths = [try DemoLibrary.folder()]
      return
    }
    guard !request.sources.isEmpty else {
      paths = [try Self.pictures()]
      return
    }
    // If the user types the paths, the terminal is needed until they are complete.
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
    // If it is closed, the next opened file would get its number.
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
  /// The words on standard input, which is read to its end.
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

  /// The error for the end of a stream.
  init(_ failure: CandidateStream.Failure) {
    self =
      switch failure {
      case .holdsNUL: .nulOnInput
      case .unreadable(let reason): .error("standard input: \(reason)")
      case .nothingThere(let last): .error(last.description)
      }
  }
}

/// The meaning of an argument or a line of a list: the path of an existing file, else an address on a server, else the
/// asset with this identifier.
struct SourceWord {
  /// The path, if it is one.
  let path: FilePath
  /// The files on this machine, the primary file first; empty if there are none.
  private(set) var paths: [FilePath] = []
  /// The address on a server.
  private(set) var remote: ServerAddress?
  /// Why there is nothing.
  private(set) var issue: AssetError?
  /// The identifier that it may be, before it is looked up.
  private var identifier: LocalIdentifier?
  private var isFolder = false

  /// Checks whether a path exists.
  ///
  /// A disk that does not answer is not an error here: the library reports it, while other sources continue.
  /// - Parameters:
  ///   - bytes: the word as written.
  ///   - hint: appended to the reason if it does not exist.
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

  /// Looks up all possible identifiers: in what was read earlier, in the folders among the words, or if there are none
  /// in the pictures folder.
  /// - Returns: the other places that can be searched.
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

  /// Applies the address on a server that the identifier leads to.
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

/// A source on a server, as the user wrote it.
enum RemoteWord {
  /// The address in a word; nil if it is none, or if a local path of this name exists, which has priority.
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

  /// Returns the path of a folder or file that is written.
  ///
  /// - Parameters:
  ///   - word: what the user wrote.
  ///   - option: the option or command that it was given to.
  ///   - kind: what it names; nil if the caller rejects an empty name.
  /// - Throws: `Failure` for an address on a server: a local folder `nas:Photos` would be taken for it.
  static func writtenPath(
    _ word: String, of option: String, kind: String? = "folder"
  ) throws(Failure) -> FilePath {
    let path = PathArgument.path(word)
    if path.isEmpty, let kind { throw .usage("\(option): expected the name of a \(kind)") }
    guard address(ArgumentBytes.bytes(word)) == nil else {
      throw .error(
        "\(option): \(word): is on a server, where nothing can be written; for a local name write ./\(word)")
    }
    return path
  }
}
