/// A message from the helper.
enum CodecAnswer: Hashable {
  /// The greeting, which is the first message: the protocol version and the confinement in force.
  case ready(version: UInt32, HelperConfinement)
  /// A picture; its pixels are in the memory that came with the request.
  case picture(PictureFacts, number: UInt32)
  /// A frame; its pixels are in the memory that came with the request.
  ///
  case frame(PictureFacts, FrameFacts, number: UInt32)
  case endOfFrames(number: UInt32)
  /// A rendered picture and its thumbnail; the pixels are in the memory that came with the request.
  case rendering(RenderingFacts, number: UInt32)
  case thumbnail(ThumbnailFacts, number: UInt32)
  /// Reports on some of the files of a request; the others follow.
  case reports(ReportsAnswer, number: UInt32)
  /// An error.
  ///
  /// Only errors of the file are sent, not those of the connection.
  case failure(CodecError, number: UInt32)

  /// Protocol version: raise it with every change of the messages or of the format numbers in them.
  ///
  /// tpick rejects a helper of another version. `StoredFormTests` fails if a change did not raise it.
  static let version: UInt32 = 17

  private enum Kind: UInt8 {
    case unreadable = 2
    case picture = 3
    case tooLarge = 4
    case nothingEmbedded = 5
    case frame = 6
    case endOfFrames = 7
    case noMemory = 8
    case noDescriptors = 9
    case rendering = 10
    case thumbnail = 11
    case unknownFormat = 12
    case readError = 13
    case late = 14
    case cancelled = 15
    case reports = 16
    case incomplete = 17
    case ready = 0x74
  }

  func write(to wire: inout WireWriter) {
    switch self {
    case .ready(let version, let confinement):
      wire.put(Kind.ready.rawValue)
      wire.put(version)
      confinement.write(to: &wire)
    case .picture(let facts, let number):
      wire.put(Kind.picture.rawValue)
      wire.put(number)
      facts.write(to: &wire)
    case .frame(let facts, let times, let number):
      wire.put(Kind.frame.rawValue)
      wire.put(number)
      facts.write(to: &wire)
      times.write(to: &wire)
    case .endOfFrames(let number):
      wire.put(Kind.endOfFrames.rawValue)
      wire.put(number)
    case .rendering(let facts, let number):
      wire.put(Kind.rendering.rawValue)
      wire.put(number)
      facts.write(to: &wire)
    case .thumbnail(let facts, let number):
      wire.put(Kind.thumbnail.rawValue)
      wire.put(number)
      facts.write(to: &wire)
    case .reports(let reports, let number):
      wire.put(Kind.reports.rawValue)
      wire.put(number)
      reports.write(to: &wire)
    case .failure(let error, let number): Self.write(error, number, to: &wire)
    }
  }

  private static func write(_ error: CodecError, _ number: UInt32, to wire: inout WireWriter) {
    let (kind, reason): (Kind, String?) =
      switch error {
      case .unreadable(let reason): (.unreadable, reason)
      case .tooLarge(let reason): (.tooLarge, reason)
      case .nothingEmbedded: (.nothingEmbedded, nil)
      case .incomplete: (.incomplete, nil)
      case .noMemory: (.noMemory, nil)
      case .noDescriptors: (.noDescriptors, nil)
      case .unknownFormat: (.unknownFormat, nil)
      case .readError(let reason): (.readError, reason)
      case .late: (.late, nil)
      case .cancelled: (.cancelled, nil)
      case .missing, .unconfined, .exhausted, .died, .hung: (.unreadable, "no answer")
      }
    wire.put(kind.rawValue)
    wire.put(number)
    if let reason { wire.put(reason, upTo: WireWriter.mostWords) }
    if case .incomplete(let range) = error { PresentRanges.write(range, to: &wire) }
  }

  init(_ frame: [UInt8]) throws(WireError) {
    var wire = WireReader(frame)
    guard let kind = Kind(rawValue: try wire.integer()) else { throw WireError() }
    let number: UInt32 = try wire.integer()
    switch kind {
    case .ready: self = .ready(version: number, try HelperConfinement(from: &wire))
    case .picture: self = .picture(try PictureFacts(from: &wire), number: number)
    case .frame:
      let facts = try PictureFacts(from: &wire)
      self = .frame(facts, try FrameFacts(from: &wire), number: number)
    case .endOfFrames: self = .endOfFrames(number: number)
    case .unreadable:
      self = .failure(.unreadable(try wire.string(upTo: WireWriter.mostWords)), number: number)
    case .tooLarge: self = .failure(.tooLarge(try wire.string(upTo: WireWriter.mostWords)), number: number)
    case .nothingEmbedded: self = .failure(.nothingEmbedded, number: number)
    case .incomplete: self = .failure(.incomplete(try PresentRanges.range(from: &wire)), number: number)
    case .noMemory: self = .failure(.noMemory, number: number)
    case .noDescriptors: self = .failure(.noDescriptors, number: number)
    case .rendering: self = .rendering(try RenderingFacts(from: &wire), number: number)
    case .thumbnail: self = .thumbnail(try ThumbnailFacts(from: &wire), number: number)
    case .reports: self = .reports(try ReportsAnswer(from: &wire), number: number)
    case .unknownFormat: self = .failure(.unknownFormat, number: number)
    case .readError: self = .failure(.readError(try wire.string(upTo: WireWriter.mostWords)), number: number)
    case .late: self = .failure(.late, number: number)
    case .cancelled: self = .failure(.cancelled, number: number)
    }
    guard wire.isAtEnd else { throw WireError() }
  }
}
