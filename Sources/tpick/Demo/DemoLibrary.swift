import AssetLibrary
import Dispatch
import FolderLibrary
import Imaging
import Metadata
import PhotoPicker
import Pixels
import Synchronization
import SystemPackage
import System

/// The sample library: generated landscapes as JPEG files in the cache folder.
enum DemoLibrary {
  /// Part of the folder's name; change it whenever the pictures change.
  private static let edition = "1"

  /// The path of the library, which exists after it has been painted.
  static var path: FilePath { UserDirectories.cache.appending("demo-\(edition)") }

  /// The folder of the library, which is painted first if it does not exist.
  /// - Throws: `Failure` if the cache folder can't be written.
  static func folder() throws(Failure) -> FilePath {
    let folder = path
    if (try? folder.stat()) != nil { return folder }
    // Painted into a temporary folder and renamed, so that other processes see all of it or nothing.
    do {
      try PrivateFolder.make(UserDirectories.cache)
    } catch {
      throw .error("\(UserDirectories.cache.string): \(error)")
    }
    let draft = UserDirectories.cache.appending("demo-\(edition).\(getpid())")
    try paint(into: draft)
    let renamed = draft.withPlatformString { from in folder.withPlatformString { rename(from, $0) } }
    if renamed != 0, (try? folder.stat()) == nil {
      throw .error("\(folder.string): \(Errno(rawValue: errno))")
    }
    return folder
  }

  private static func paint(into folder: FilePath) throws(Failure) {
    let scenes = DemoScene.all
    for album in Set(scenes.map(\.album)) { try makeFolder(folder.appending(album)) }
    let problems = Mutex<[Failure]>([])
    ConcurrentWork.forEach(below: scenes.count) { index in
      do throws(Failure) {
        try save(scenes[index], number: index, below: folder)
      } catch {
        problems.withLock { $0.append(error) }
      }
    }
    if let problem = problems.withLock({ $0.first }) { throw problem }
  }

  private static func save(_ scene: DemoScene, number: Int, below folder: FilePath) throws(Failure) {
    let picture = scene.paint()
    var facts = MediaFacts()
    facts.make = "tpick"
    facts.model = "Paintbox"
    facts.captureTime = scene.time
    facts.fNumber = 8
    facts.exposureTime = 1 / scene.shutter
    facts.isoSpeed = 100
    facts.focalLength = 35
    facts.orientation = scene.isPortrait ? .rightTop : .topLeft
    // Portraits are stored rotated, as cameras do.
    let stored = scene.isPortrait ? picture.upright(from: .leftBottom) : picture
    let small = stored.resampled(to: PixelSize(width: 160, height: 120))
    let thumbnail = JPEGEncoder.encode(small, quality: 80) ?? []
    let path = folder.appending(scene.album).appending("\(scene.name).jpg")
    guard
      let bytes = JPEGEncoder.encode(
        stored, quality: 88, app1: EXIFWriter.app1(facts, thumbnail: thumbnail))
    else { throw .error("\(path.string): can't be encoded") }
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(bytes) }
    } catch {
      throw .error("\(path.string): \(error)")
    }
  }

  private static func makeFolder(_ path: FilePath) throws(Failure) {
    do {
      try PrivateFolder.make(path)
    } catch {
      throw .error("\(path.string): \(error)")
    }
  }
}
