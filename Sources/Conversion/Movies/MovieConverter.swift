import AssetLibrary
import CodecProtocol
import Export
import MediaFormats
import Metadata
import Pixels
import System

/// Makes MP4s that play everywhere, and videos without metadata, with the programs of FFmpeg.
///
/// What can be put into another container as it is is not encoded again. Where FFmpeg is missing or fails the file itself
/// is handed over, unless its metadata had to go or the consumer can't take it.
struct MovieConverter: Sendable {
  let store: any AssetStore

  /// What is read of a video's tags, in bytes.
  private static let longestFacts = 1 << 20

  func convert(
    _ resource: AssetResource, isCompatible: Bool, _ options: RepresentationOptions, into descriptor: Int32,
    cancellation: Cancellation, progress: (Double) -> Void
  ) throws(AssetError) -> MadeRepresentation {
    let mayStay = options.stripping == .nothing && admits(resource, options)
    do throws(ConfinedProgram.Failure) {
      let (encoder, probe) = (try ConfinedProgram("ffmpeg"), try ConfinedProgram("ffprobe"))
      // FFmpeg opens the file by its descriptor, which says nothing of a part.
      let source = try Source(resource, store)
      let facts = try facts(source.descriptor, probe, cancellation)
      guard let plan = plan(facts, resource, isCompatible: isCompatible, options) else {
        return .resource(reason: nil)
      }
      let complaint = try run(plan, facts, encoder, source, descriptor, cancellation, progress)
      // Of what was copied it is only asked for a word.
      let made =
        plan.video == .copied
        ? (try? self.facts(descriptor, probe, cancellation)) ?? facts
        : try self.facts(descriptor, probe, cancellation)
      // FFmpeg rounds sides, and turns pictures upright.
      let size = plan.video == .copied ? .zero : PixelSize(width: made.width, height: made.height)
      let remark = Self.remark(on: plan, facts, made, complaint)
      let format: FileFormat = plan.container == "mp4" ? .mp4 : .quickTime
      // A part of another file has that one's name.
      let suffix = isCompatible || resource.byteRange != nil ? format.suffixes.first : nil
      return .file(
        MadeRepresentation.Facts(
          uniformTypeIdentifier: isCompatible
            ? format.uniformTypeIdentifier : resource.uniformTypeIdentifier,
          suffix: suffix, size: size, remark: remark, method: plan.method))
    } catch {
      let reason =
        switch error {
        case .cancelled: throw .cancelled
        case .missing(let name):
          "\(name), which converts videos, is not installed: install FFmpeg (apt install ffmpeg)"
        case .helperMissing(let program): program.absence
        case .unconfined:
          "this system can't confine ffmpeg; \(ConfinementPolicy.setting) in the configuration allows it all the same"
        case .failed(let words):
          words.isEmpty ? "ffmpeg can't convert it" : "ffmpeg can't convert it: \(words)"
        }
      ftruncate(descriptor, 0)
      lseek(descriptor, 0, SEEK_SET)
      guard mayStay else { throw AssetError(resource.name, reason) }
      return .resource(reason: "is handed over as it is: \(reason)")
    }
  }

  /// What is to be said of a video that was made: what of the original is not in it.
  /// - Parameters:
  ///   - made: what it is.
  ///   - complaint: what FFmpeg found wrong with the original, though it went on.
  private static func remark(
    on plan: MoviePlan, _ facts: MovieFacts, _ made: MovieFacts, _ complaint: String
  ) -> String? {
    var words: [String] = []
    // A header tells how long it was meant to be; containers round.
    if facts.duration > 0, made.duration < facts.duration - max(1, facts.duration / 50) {
      words.append(
        "ends after \(Int(made.duration)) of \(Wording.count(Int(facts.duration.rounded()), "second")): the file is damaged"
      )
    } else if !complaint.isEmpty {
      words.append("may not be whole: ffmpeg says \(complaint)")
    }
    let left = [(facts.audioCount - 1, "other sound track"), (facts.subtitleCount, "subtitle track")].filter {
      $0.0 > 0
    }
    if !left.isEmpty {
      let tracks = left.map { Wording.count($0.0, $0.1) }
      words.append("is handed over without " + tracks.joined(separator: " and "))
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Whether the consumer can take the file as it is.
  private func admits(_ resource: AssetResource, _ options: RepresentationOptions) -> Bool {
    let size = resource.storedSize
    if let side = options.longestSide, max(size.width, size.height) > side { return false }
    return options.acceptedTypes?.admits(typeIdentifier: resource.uniformTypeIdentifier) ?? true
  }

  private func plan(
    _ facts: MovieFacts, _ resource: AssetResource, isCompatible: Bool, _ options: RepresentationOptions
  ) -> MoviePlan? {
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    let stripping = options.stripping.policy
    return isCompatible
      ? MoviePlan(
        compatible: facts, of: format, isWholeFile: resource.byteRange == nil,
        longestSide: options.longestSide, stripping: stripping)
      : MoviePlan(stripping: stripping, facts, of: format)
  }

  /// The file of a video, or a copy of the part that it is.
  private struct Source {
    let reader: any ResourceReader
    let descriptor: Int32
    /// Whether the descriptor is this one's own.
    private let copy: TemporaryFile?

    init(_ resource: AssetResource, _ store: any AssetStore) throws(ConfinedProgram.Failure) {
      do throws(AssetError) {
        reader = try store.reader(for: resource)
        if resource.byteRange == nil, let descriptor = reader.descriptor {
          (self.descriptor, copy) = (descriptor, nil)
        } else {
          let copy = try TemporaryFile(of: reader, name: resource.name)
          (descriptor, self.copy) = (copy.descriptor, copy)
        }
      } catch {
        throw .failed(error.reason)
      }
    }
  }

  private func facts(
    _ descriptor: Int32, _ probe: ConfinedProgram, _ cancellation: Cancellation
  ) throws(ConfinedProgram.Failure) -> MovieFacts {
    var text = ""
    try probe.run(
      MoviePlan.reading + [
        "-v", "error", "-of", "flat", "-show_entries",
        "stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,color_transfer"
          + ":stream_disposition=attached_pic:format=duration:format_tags", ConfinedProgram.input,
      ], input: descriptor, output: nil, cancellation: cancellation
    ) { if text.utf8.count < Self.longestFacts { text += $0 + "\n" } }
    return MovieFacts(flat: text)
  }

  /// - Returns: the last thing that FFmpeg complained of, though it came to an end.
  private func run(
    _ plan: MoviePlan, _ facts: MovieFacts, _ encoder: ConfinedProgram, _ source: Source, _ output: Int32,
    _ cancellation: Cancellation, _ progress: (Double) -> Void
  ) throws(ConfinedProgram.Failure) -> String {
    var said = ""
    let arguments = plan.arguments(
      input: ConfinedProgram.input, output: ConfinedProgram.output, tags: facts.plainTags)
    do throws(ConfinedProgram.Failure) {
      try encoder.run(
        arguments, input: source.descriptor, output: output, cancellation: cancellation
      ) { line in
        if let time = MovieProgress.seconds(line) {
          if facts.duration > 0 { progress(min(1, max(0, time / facts.duration))) }
        } else if !MovieProgress.isReport(line) {
          said = line
        }
      }
    } catch .failed {
      throw .failed(said)
    }
    // A program that ends well without a word has not been FFmpeg.
    guard lseek(output, 0, SEEK_END) > 0 else { throw .failed("it wrote nothing") }
    // Without the name and the address of the part that says it: "[matroska,webm @ 0x5575] File ended prematurely".
    return said.firstIndex(of: "]").map { String(said[said.index(after: $0)...].drop { $0 == " " }) } ?? said
  }
}

/// The lines that `ffmpeg -progress` prints: names and values.
enum MovieProgress {
  /// How far it has come; nil where the line says something else.
  static func seconds(_ line: String) -> Double? {
    let mark = "out_time_us="
    guard line.hasPrefix(mark) else { return nil }
    return Double(line.dropFirst(mark.count)).map { $0 / 1_000_000 }
  }

  /// Whether it is one of them, and no message.
  static func isReport(_ line: String) -> Bool {
    guard let sign = line.firstIndex(of: "=") else { return false }
    return line[..<sign].allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
  }
}
