import CAVFormat
import CodecProtocol
import System

/// A file as libavformat reads it; owns the buffer and the context of its input.
final class MovieInput {
  /// Bytes that are read at once: a header, seldom more.
  private static let readSize: Int32 = 32 << 10

  private let file: InputFile
  private let io: UnsafeMutablePointer<AVIOContext>

  init(_ file: InputFile) throws(CodecError) {
    guard let buffer = av_malloc(Int(Self.readSize)) else { throw .noMemory }
    let pointer = Unmanaged.passUnretained(file).toOpaque()
    guard
      let io = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.readSize, 0, pointer, Self.read, nil, Self.seek)
    else {
      av_free(buffer)
      throw .noMemory
    }
    self.io = io
    self.file = file
  }

  deinit {
    // libavformat may have put another buffer in the place of ours.
    av_free(io.pointee.buffer)
    var releasing: UnsafeMutablePointer<AVIOContext>? = io
    avio_context_free(&releasing)
  }

  /// Has a container read from it, as long as both are there.
  func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
    context.pointee.pb = io
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
  }

  private static let read:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
      guard let file = InputFile.from($0), let buffer = $1 else { return tpick_av_input_error() }
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int($2))
      // What is there will do: libavformat asks for as much as it has room for.
      let count = file.read(at: file.position, into: room, needing: 1)
      guard count > 0 else { return count == 0 ? tpick_av_end_of_file() : tpick_av_input_error() }
      file.position += count
      return Int32(count)
    }

  private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
    guard let file = InputFile.from($0) else { return -1 }
    let base: Int
    switch $2 & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(file.byteCount)
    case SEEK_SET: base = 0
    case SEEK_CUR: base = file.position
    case SEEK_END: base = file.byteCount
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(Int($1))
    guard !overflow, target >= 0 else { return -1 }
    file.position = target
    return Int64(target)
  }
}
