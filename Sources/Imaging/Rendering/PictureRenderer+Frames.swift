import AssetLibrary
import CodecProtocol
import Pixels
import Rendering

extension PictureRenderer {
  /// The frames of an animation, which the helper decodes one after the other.
  /// - Throws: `AssetError` when it can't be opened.
  func frames(
    of resource: AssetResource, from file: any ResourceReader, toFit box: PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    let request = FramesRequest(
      targetWidth: min(box.width, HelperDecoder.largestSide),
      targetHeight: min(box.height, HelperDecoder.largestSide), range: 0..<file.count,
      orientation: resource.orientation.rawValue)
    if let descriptor = file.descriptor {
      return HelperFrameReader(
        reader.frames(of: descriptor, request), of: file, name: resource.displayName, target: box,
        cancellation: cancellation)
    }
    let copy: FileCopy
    do throws(CodecError) {
      guard file.count <= AnimationBudget.heldBytes else {
        throw .tooLarge("the file is too large to be shown")
      }
      guard let made = try FileCopy(of: file, cancellation) else { throw .cancelled }
      copy = made
    } catch {
      throw AssetError(resource.displayName, error)
    }
    return HelperFrameReader(
      reader.frames(of: copy.file.descriptor, request), of: copy, name: resource.displayName, target: box,
      cancellation: cancellation)
  }
}

/// A resource in memory, as a file that stays open as long as it is played.
private final class FileCopy: ResourceReader {
  let file: MemoryFile
  let count: Int

  init?(of resource: any ResourceReader, _ cancellation: Cancellation) throws(CodecError) {
    guard let file = try MemoryFile(copying: 0..<resource.count, of: resource, cancellation) else {
      return nil
    }
    self.file = file
    count = resource.count
  }

  var descriptor: Int32? { file.descriptor }

  /// Whoever plays it reads by the descriptor.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int { 0 }
}
