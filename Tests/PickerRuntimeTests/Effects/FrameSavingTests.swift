import AssetLibrary
import Pixels
import Synchronization
import TestScheduling
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// A frame of a clip becomes a photo of the library.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct FrameSavingTests {
  /// A library with the clip "p0" of two seconds.
  private final class Session: Sendable {
    let store: MemoryAssetStore
    let images = ScriptedImages()
    let clip: Asset
    let encoded = Mutex<[(color: UInt8, date: AssetDate, location: Location?)]>([])
    private let access: LibraryAccessController

    var firstEncoded: (color: UInt8, date: AssetDate, location: Location?)? { encoded.withLock { $0.first } }

    init() {
      var assets: [Asset] = .numbered(2)
      assets[0].playbackStyle = .video
      assets[0].location = Location(latitude: 1, longitude: 2)
      clip = assets[0]
      store = MemoryAssetStore(assets)
      access = LibraryAccessController(store, images, status: .authorized, consent: ConsentScreen())
      images.setFrames(ScriptedFrames(count: 20, playCount: 1), of: clip)
    }

    /// Saves the frame at a time, and returns the picker's answer.
    func save(at time: Duration, canEncode: Bool = true) async throws -> LibraryEditAnswer {
      let library = PickerLibrary(access) { [self] pixels, date, location in
        encoded.withLock { $0.append((pixels.bytes[0], date, location)) }
        return canEncode ? [0xFF, 0xD8, pixels.bytes[0]] : nil
      }
      let edit = LibraryEdit(request: .saveFrame(FrameCapture(of: clip, .current, at: time)), words: "saved")
      return try #require(await Self.answer(to: edit, in: library))
    }

    static func answer(to edit: LibraryEdit, in library: PickerLibrary) async -> LibraryEditAnswer? {
      let (answers, source) = AsyncStream.makeStream(of: LibraryEditAnswer.self)
      let reader = LibraryReader(library) { if case .edited(let answer) = $0 { source.yield(answer) } }
      reader.perform(edit)
      for await answer in answers { return withExtendedLifetime(reader) { answer } }
      return nil
    }
  }

  @Test func `The frame that is visible at the time is saved in full size, with date and place`() async throws
  {
    let session = Session()
    let answer = try await session.save(at: .milliseconds(1250))
    let encoded = try #require(session.firstEncoded)
    // The frames begin with 1, and each takes a tenth of a second.
    #expect(encoded.color == 13 && encoded.location == session.clip.location)
    #expect(encoded.date.wallSeconds == session.clip.creationDate.wallSeconds + 1)
    #expect(encoded.date.nanoseconds == 250_000_000)
    guard case .createAsset(let new)? = answer.changes.first else {
      Issue.record("nothing was created")
      return
    }
    let photo = try #require(session.store.assets(withLocalIdentifiers: [new], options: FetchOptions()).first)
    #expect(String(decoding: photo.nameBytes, as: UTF8.self).contains("-frame-00m01s250"))
    // Undo moves it to the trash.
    #expect(try answer.result.get() == [.delete([new])])
    try session.store.perform(answer.result.get())
    #expect(session.store.assets(withLocalIdentifiers: [new], options: FetchOptions()).isEmpty)
  }

  @Test func `The same frame is not saved twice`() async throws {
    let session = Session()
    let first = try await session.save(at: .seconds(1))
    let second = try await session.save(at: .seconds(1))
    #expect(second.changes == first.changes)
    #expect(try second.result.get().isEmpty)
  }

  @Test func `A frame that can't be read or encoded is reported`() async throws {
    let session = Session()
    let answer = try await session.save(at: .seconds(1), canEncode: false)
    #expect(throws: AssetError.self) { try answer.result.get() }
    session.images.setFrames(ScriptedFrames(count: 0, playCount: 1), of: session.clip)
    let other = try await session.save(at: .seconds(1))
    #expect(throws: AssetError.self) { try other.result.get() }
    #expect(session.store.assets(in: nil, options: FetchOptions()).count == 2)
  }
}
