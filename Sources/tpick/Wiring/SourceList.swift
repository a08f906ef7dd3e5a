import AssetLibrary
import FolderLibrary
import PhotoPicker
import Rclone
import SystemPackage
import System

/// The sources that a call names, as far as they are there.
struct SourceList {
  private(set) var paths: [FilePath] = []
  /// Folders on servers.
  private(set) var remotes: [RemoteAddress] = []
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
    remotes = RemoteAddress.outermost(words.compactMap(\.remote))
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
    "standard input: holds NUL bytes; --read0 reads paths that are separated by them")

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
