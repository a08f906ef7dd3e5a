package import AssetLibrary
import CodecProtocol
package import Export
import MediaFormats
import Metadata
import System

// The files of a Live Photo: a JPEG that names its clip, and the clip.
extension FileRepresentationMaker: LivePhotoMaker {
  package func makeStill(
    _ still: AssetResource, _ keyPhoto: KeyPhoto?, _ link: LivePhotoLink, into descriptor: Int32,
    cancellation: Cancellation
  ) throws(AssetError) -> MadeRepresentation.Facts {
    var (source, reader) = (still, try store.reader(for: still))
    var remark: String?
    // The other formats can't be given metadata here.
    let isConverted =
      keyPhoto != nil || FileFormat(uniformTypeIdentifier: still.uniformTypeIdentifier) != .jpeg
    if isConverted {
      let made = try TemporaryFile(of: [], name: still.name)
      let output = OutputFile(made.descriptor, for: still.name)
      var options = RepresentationOptions()
      options.quality = Self.stillQuality
      if let keyPhoto {
        remark = try pictures.convert(
          frameOf: keyPhoto.clip, at: keyPhoto.time, inPlaceOf: still, to: [.jpeg], options, into: output,
          cancellation: cancellation
        ).remark
      } else {
        remark = try pictures.convert(still, to: [.jpeg], options, into: output, cancellation: cancellation)
          .remark
      }
      source.uniformTypeIdentifier = FileFormat.jpeg.uniformTypeIdentifier
      reader = TemporaryReader(made, name: still.name)
    }
    var request = MetadataRequest(MetadataPolicy(), longestXMP: JPEGSegments.longestXMP)
    switch link {
    case .identifier(let identifier): request.contentIdentifier = identifier
    case .appendedVideo(let byteCount):
      request.motionVideoByteCount = byteCount
      request.motionPhotoTime = keyPhoto.map { Int($0.time / .microseconds(1)) }
    }
    let blocks = try metadata.output(request, of: source, from: reader)
    if case .identifier(let identifier) = link, !blocks.exif.contains(identifier.utf8) {
      throw AssetError(still.name, "the identifier of its clip does not fit into its EXIF")
    }
    try StrippedJPEG.write(
      ByteStream(reader, cancellation: cancellation), blocks, into: OutputFile(descriptor, for: still.name),
      name: still.name)
    return MadeRepresentation.Facts(
      uniformTypeIdentifier: FileFormat.jpeg.uniformTypeIdentifier, suffix: "jpg",
      remark: remark ?? blocks.remark(), method: isConverted ? "converted" : "rewritten")
  }

  /// The JPEG quality of a still image in another format: higher than usual, because it takes the place of the photo.
  private static let stillQuality = 95

  package func makeClip(
    _ clip: AssetResource, identifier: String, into descriptor: Int32, cancellation: Cancellation,
    progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation.Facts {
    // The tags of the old container's brands don't apply to the new one.
    let brands = ["major_brand", "minor_version", "compatible_brands"].flatMap { ["-metadata", "\($0)="] }
    try FFmpegRun(clip, store, cancellation).write(
      ["-map", "0:V:0", "-map", "0:a?", "-c", "copy", "-map_metadata", "0"] + brands
        + [
          "-metadata", "com.apple.quicktime.content.identifier=\(identifier)", "-movflags",
          "+faststart+use_metadata_tags", "-f", "mov",
        ], into: descriptor, progress)
    return MadeRepresentation.Facts(
      uniformTypeIdentifier: FileFormat.quickTime.uniformTypeIdentifier, suffix: "mov", method: "remuxed")
  }

  package func makeGIF(
    _ video: AssetResource, part: Range<Duration>?, longestSide: Int, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation.Facts {
    let side = "scale='if(gt(iw,ih),min(iw,\(longestSide)),-2)':'if(gt(iw,ih),-2,min(ih,\(longestSide)))'"
    let run: FFmpegRun
    if let part {
      // Made by the same steps as any part, so that it has the same frames.
      let excerpt = try TemporaryFile(of: [], name: video.name)
      _ = try make(
        .videoPart(video, part), RepresentationOptions(), into: excerpt.descriptor, cancellation: cancellation
      ) { progress($0 / 2) }
      run = try FFmpegRun(video, TemporaryReader(excerpt, name: video.name), excerpt, cancellation)
    } else {
      run = try FFmpegRun(video, store, cancellation)
    }
    try run.write(
      [
        "-map", "0:V:0", "-an", "-vf",
        "fps='min(source_fps,\(Self.gifRate))',scale=trunc(iw*sar/2)*2:ih,\(side):flags=lanczos,setsar=1,"
          + "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-loop", "0", "-f", "gif",
      ], into: descriptor
    ) { progress(part == nil ? $0 : 0.5 + $0 / 2) }
    return MadeRepresentation.Facts(
      uniformTypeIdentifier: FileFormat.gif.uniformTypeIdentifier, suffix: "gif", method: "transcoded")
  }

  /// The maximum number of frames per second of a GIF, whose durations are hundredths of a second.
  private static let gifRate = 20
}

/// One run of FFmpeg on a resource.
private struct FFmpegRun {
  private let resource: AssetResource
  private let encoder: ConfinedProgram
  private let reader: any ResourceReader
  /// A copy of a video that is a part of a file: FFmpeg would see the whole file through its descriptor.
  private let copy: TemporaryFile?
  private let cancellation: Cancellation

  init(
    _ resource: AssetResource, _ store: any OriginalAccess, _ cancellation: Cancellation
  ) throws(AssetError) {
    let reader = try store.reader(for: resource)
    let copy =
      resource.byteRange == nil && reader.descriptor != nil
      ? nil : try TemporaryFile(of: reader, name: resource.name)
    try self.init(resource, reader, copy, cancellation)
  }

  /// - Parameter copy: the file that FFmpeg reads; nil = that of the reader.
  init(
    _ resource: AssetResource, _ reader: any ResourceReader, _ copy: TemporaryFile?,
    _ cancellation: Cancellation
  ) throws(AssetError) {
    (self.resource, self.reader, self.copy, self.cancellation) = (resource, reader, copy, cancellation)
    do throws(ConfinedProgram.Failure) { encoder = try ConfinedProgram("ffmpeg") } catch {
      throw Self.error(error, resource, "")
    }
  }

  func write(
    _ arguments: [String], into output: Int32, _ progress: (Double) -> Void
  ) throws(AssetError) {
    var said = ""
    defer { withExtendedLifetime((reader, copy)) {} }
    do throws(ConfinedProgram.Failure) {
      try encoder.run(
        ["-nostdin", "-hide_banner", "-loglevel", "error"] + MoviePlan.reading
          + ["-i", ConfinedProgram.input, "-sn", "-dn"] + arguments
          + ["-progress", "pipe:1", "-y", ConfinedProgram.output],
        input: copy?.descriptor ?? reader.descriptor ?? -1, output: output, cancellation: cancellation
      ) { line in
        // The length is not known; the clip of a Live Photo has three seconds.
        if let time = MovieProgress.seconds(line) {
          progress(min(0.99, max(0, time / 3)))
        } else if !MovieProgress.isReport(line) {
          said = line
        }
      }
      guard lseek(output, 0, SEEK_END) > 0 else { throw .failed("it wrote nothing") }
      guard said.isEmpty || OutputFile(output, for: "").canGrow else { throw .failed(said) }
    } catch {
      if case .failed = error { try OutputFile(output, for: resource.name).checkGrows() }
      throw Self.error(error, resource, said)
    }
    progress(1)
  }

  private static func error(
    _ failure: ConfinedProgram.Failure, _ resource: AssetResource, _ said: String
  ) -> AssetError {
    switch failure {
    case .cancelled: .cancelled
    case .missing(let name):
      AssetError(
        resource.name,
        "\(name), which converts videos, is not installed: install FFmpeg (apt install ffmpeg)",
        code: .helperMissing)
    case .helperMissing(let program):
      AssetError(resource.name, program.missingMessage, code: .helperMissing)
    case .unconfined:
      AssetError(
        resource.name,
        "this system can't confine ffmpeg; set \(ConfinementPolicy.setting) in the configuration to run it unconfined",
        code: .helperMissing)
    case .failed(let words):
      AssetError(
        resource.name,
        [words, said].first { !$0.isEmpty }.map { "ffmpeg can't convert it: \($0)" }
          ?? "ffmpeg can't convert it")
    }
  }
}

/// The bytes of a temporary file, which is kept as long as its reader.
private struct TemporaryReader: ResourceReader {
  let file: TemporaryFile
  let name: String
  let count: Int

  init(_ file: TemporaryFile, name: String) {
    (self.file, self.name) = (file, name)
    count = max(0, Int(lseek(file.descriptor, 0, SEEK_END)))
  }

  var descriptor: Int32? { file.descriptor }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let count = pread(file.descriptor, base + filled, buffer.count - filled, offset + filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw AssetError(name, String(cString: strerror(errno)))
      }
    }
    return filled
  }
}
