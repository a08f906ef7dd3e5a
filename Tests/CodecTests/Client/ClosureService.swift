@testable import CodecProtocol

/// A helper service made of closures; a missing one ends the process as if the helper had crashed.
final class ClosureService: HelperService {
  private let describe: () -> Void
  private let decode: (DecodeRequest) throws(CodecError) -> PictureMemory
  private let open: () throws(CodecError) -> any FrameSequence
  private let giveUpAfter: (UInt32) -> Void

  init(
    report: @escaping () -> Void = {},
    picture: @escaping (DecodeRequest) throws(CodecError) -> PictureMemory = { _ throws(CodecError) in
      throw .died
    },
    frames: @escaping () throws(CodecError) -> any FrameSequence = { () throws(CodecError) in throw .died },
    giveUpAfter: @escaping (UInt32) -> Void = { _ in }
  ) {
    (describe, decode, open, self.giveUpAfter) = (report, picture, frames, giveUpAfter)
  }

  func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) { describe() }

  func picture(of file: Int32, _ request: DecodeRequest, seconds: UInt32) throws(CodecError) -> PictureMemory
  {
    try decode(request)
  }

  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence { try open() }
  func giveUp(after seconds: UInt32) { giveUpAfter(seconds) }
}
