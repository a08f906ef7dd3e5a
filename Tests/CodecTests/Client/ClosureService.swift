@testable import CodecProtocol

/// A helper's work as closures; what is not given ends as if the helper had died.
final class ClosureService: HelperService {
  private let readFacts: () throws(CodecError) -> CodecFacts
  private let decode: (DecodeRequest) throws(CodecError) -> PictureMemory
  private let open: () throws(CodecError) -> any FrameSequence
  private let giveUpAfter: (UInt32) -> Void

  init(
    facts: @escaping () throws(CodecError) -> CodecFacts = { () throws(CodecError) in throw .died },
    picture: @escaping (DecodeRequest) throws(CodecError) -> PictureMemory = { _ throws(CodecError) in
      throw .died
    },
    frames: @escaping () throws(CodecError) -> any FrameSequence = { () throws(CodecError) in throw .died },
    giveUpAfter: @escaping (UInt32) -> Void = { _ in }
  ) {
    (readFacts, decode, open, self.giveUpAfter) = (facts, picture, frames, giveUpAfter)
  }

  func facts(of file: Int32) throws(CodecError) -> CodecFacts { try readFacts() }

  func picture(of file: Int32, _ request: DecodeRequest, seconds: UInt32) throws(CodecError) -> PictureMemory
  {
    try decode(request)
  }

  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence { try open() }
  func giveUp(after seconds: UInt32) { giveUpAfter(seconds) }
}
