package import CodecProtocol
package import Metadata
import Pixels
import System

/// Reads what files say of themselves, for tpick, which asked for it.
///
/// Used by one thread.
package struct ReportService {
  /// Memory for the heads of files.
  private var room = MediaReader.Room()
  /// The letters that name a second XMP packet in the first.
  private let digest: ([UInt8]) -> String

  package init(digest: @escaping ([UInt8]) -> String) { self.digest = digest }

  /// Appends a report about an open file to `bytes`.
  package mutating func report(on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8]) {
    let source = DescriptorBytes(file, present: request.presentRanges)
    let report: MediaReport
    switch request.kind {
    case .medium:
      report = .medium(from: source, byteCount: request.byteCount, room: &room, reason: \.reason)
    case .sidecar: report = .sidecar(from: source, byteCount: request.byteCount, reason: \.reason)
    case .foreign: report = .failed("an unknown format")
    case .metadata, .blocks:
      metadata(of: source, request).append(to: &bytes)
      return
    }
    FactsEncoder.append(report, to: &bytes)
  }

  /// The metadata of a file for another one that is made of it; a file that can't be read loses all.
  private func metadata(of source: DescriptorBytes, _ request: ReportRequest) -> MetadataOutput {
    var copy = MetadataCopy()
    guard let wanted = MetadataRequest(wire: request.detail) else { return MetadataOutput() }
    do throws(DescriptorBytes.Failure) {
      copy =
        request.kind == .blocks
        ? try Self.blocks(in: source, byteCount: request.byteCount)
        : try MediaReader.metadata(from: source, byteCount: request.byteCount)
    } catch {
      copy.losses = [.all]
    }
    return copy.output(wanted, digest: digest)
  }

  private static func blocks(
    in source: DescriptorBytes, byteCount: Int
  ) throws(DescriptorBytes.Failure) -> MetadataCopy {
    let bytes = try source.read(at: 0, count: min(byteCount, longestBlocks))
    guard bytes.count >= 4 else { return MetadataCopy() }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    let end = min(4 + length, bytes.count)
    return MetadataCopy(exif: EXIFTree(Array(bytes[4..<end])), xmp: Array(bytes[end...]))
  }

  /// What another helper has read has less.
  private static let longestBlocks = 1 << 26

  /// Appends a report about an open file of a heavy library's format to `bytes`.
  /// - Parameters:
  ///   - facts: what the library tells.
  ///   - missing: the range that it needed and that is yet to be fetched; asked once the library is done.
  package static func report(
    on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8],
    _ facts: () throws(CodecError) -> CodecFacts, missing: () -> Range<Int>? = { nil }
  ) {
    var report: MediaReport
    var unchecked: Range<Int>?
    do throws(CodecError) {
      let codec = try facts()
      var facts = MediaFacts(codec)
      if !codec.xmp.isEmpty || codec.videoBox != nil {
        // A claim that can't be checked is none.
        facts.motionVideo = try? MediaReader.motionVideo(
          claimedBy: codec.xmp, inBox: codec.videoBox,
          from: DescriptorBytes(file, present: request.presentRanges), byteCount: request.byteCount,
          missing: &unchecked)
      }
      report = .described(facts)
    } catch {
      report = error == .noMemory ? .noMemory : .failed(error.reason)
    }
    // Whatever a library makes of a file of which it misses something, it is not what the file says.
    if report != .noMemory, let missing = missing() ?? unchecked { report = .incomplete(missing) }
    FactsEncoder.append(report, to: &bytes)
  }
}

extension MediaFacts {
  /// What the heavy libraries found, in the terms of a file that tpick read itself.
  ///
  /// The size is that of the decoded picture, which stands upright: an EXIF orientation inside a container
  /// that has its own way of turning is a leftover, and ignored (ISO/IEC 23008-12, 6.5.10).
  package init(_ codec: CodecFacts) {
    self.init()
    fill(from: codec)
  }

  /// Not in the initializer, which the bounds of the properties would not see.
  private mutating func fill(from codec: CodecFacts) {
    if !codec.exif.isEmpty { merge(exif: codec.exif) }
    if !codec.xmp.isEmpty { merge(xmp: codec.xmp) }
    storedSize = PixelSize(width: codec.width, height: codec.height)
    orientation = .topLeft
    // Ranges count from the file's start, and these were found inside a block.
    thumbnail = nil
    motionVideo = nil
    if let camera = codec.camera { merge(camera) }
    merge(quickTime: codec.tags, frameRate: codec.frameRate)
    if codec.duration > 0 { duration = codec.duration }
    if codec.frameRate > 0 { frameRate = codec.frameRate }
    hints.formUnion(Self.hints(codec))
  }

  private static func hints(_ codec: CodecFacts) -> MediaHints {
    var hints: MediaHints = []
    if codec.isAnimated { hints.insert(.animated) }
    if codec.isStereo { hints.insert(.stereo) }
    for type in codec.auxiliaryTypes {
      switch type {
      case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth":
        hints.insert(.depthMap)
      case "urn:com:apple:photo:2020:aux:hdrgainmap": hints.insert(.gainMap)
      default: break
      }
    }
    return hints
  }

  /// Adds what LibRaw understood; what EXIF or XMP said stays.
  private mutating func merge(_ camera: CameraFacts) {
    make = make ?? camera.make
    model = model ?? camera.model
    lens = lens ?? camera.lens
    isoSpeed = isoSpeed ?? camera.isoSpeed.flatMap { Int(exactly: $0.rounded()) }
    exposureTime = exposureTime ?? camera.exposureTime
    fNumber = fNumber ?? camera.fNumber
    focalLength = focalLength ?? camera.focalLength
    captureTime = captureTime ?? camera.captureSeconds.flatMap(CivilTime.init(wallSeconds:))
    if coordinate == nil, let latitude = camera.latitude, let longitude = camera.longitude {
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
  }
}

/// The bytes of an open file that belongs to someone else; read at places, so that its position stays as it was.
package struct DescriptorBytes: ByteSource {
  /// A read that failed.
  package struct Failure: Error {
    /// The errno.
    package var cause: Int32

    /// Words for the user that follow a file's name and a colon.
    package var reason: String { String(cString: strerror(cause)) }
  }

  private let descriptor: Int32
  private let present: PresentRanges?

  /// - Parameter present: what of the file is there; a read of anything else fails. Nil = all of it.
  package init(_ descriptor: Int32, present: PresentRanges? = nil) {
    (self.descriptor, self.present) = (descriptor, present)
  }

  package func available(at offset: Int, count: Int) -> Int {
    present.map { min(count, $0.count(from: offset)) } ?? count
  }

  package func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Failure) {
        filled = try read(
          at: offset,
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    // What is not there reads as zeros.
    let there = available(at: offset, count: buffer.count)
    guard there > 0 || buffer.isEmpty else { throw Failure(cause: ENODATA) }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<there])
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + filled, buffer.count - filled, offset + filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw Failure(cause: errno)
      }
    }
    return filled
  }
}
