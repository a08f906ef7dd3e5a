import AssetLibrary
import Fixtures
import Pixels
import SystemPackage
import Glibc

/// A store whose resources are bytes or files, with a hook during reads.
final class ScriptedStore: MemoryBackedStore {
  let memory = MemoryAssetStore()
  /// Called before each read, with the resource and the offset.
  let beforeRead: @Sendable (AssetResource, Int) throws(AssetError) -> Void

  init(beforeRead: @escaping @Sendable (AssetResource, Int) throws(AssetError) -> Void = { _, _ in }) {
    self.beforeRead = beforeRead
  }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    let descriptor = resource.path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
    let count = descriptor >= 0 ? Int(lseek(descriptor, 0, SEEK_END)) : Int(resource.byteCount)
    let whole = Reader(resource: resource, count: count, file: descriptor, beforeRead: beforeRead)
    return resource.byteRange.map { ResourcePart(of: whole, $0) } ?? whole
  }

  /// Reads the file of a resource, or byte numbers if there is none.
  private final class Reader: ResourceReader {
    let resource: AssetResource
    let count: Int
    private let file: Int32
    private let beforeRead: @Sendable (AssetResource, Int) throws(AssetError) -> Void

    var descriptor: Int32? { file >= 0 ? file : nil }

    init(
      resource: AssetResource, count: Int, file: Int32,
      beforeRead: @escaping @Sendable (AssetResource, Int) throws(AssetError) -> Void
    ) {
      (self.resource, self.count, self.file, self.beforeRead) = (resource, count, file, beforeRead)
    }

    deinit { if file >= 0 { close(file) } }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
      try beforeRead(resource, offset)
      if file >= 0 { return max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset))) }
      let end = min(offset + buffer.count, count)
      for index in offset..<max(offset, end) { buffer[index - offset] = UInt8(truncatingIfNeeded: index) }
      return max(0, end - offset)
    }
  }

  /// An asset with resources that are no files, by name and length.
  static func asset(_ resources: (String, Int)...) -> Asset {
    Asset(
      localIdentifier: LocalIdentifier(resources[0].0), mediaType: .image,
      pixelSize: PixelSize(width: 4, height: 3), creationDate: AssetDate(wallSeconds: 0),
      resources: resources.map { name, count in
        AssetResource(
          type: name.hasSuffix(".MOV") ? .pairedVideo : .photo, path: FilePath("/none/\(name)"),
          uniformTypeIdentifier: "public.jpeg", byteCount: Int64(count))
      })
  }
}
