import CConfinement
import CodecProtocol
import HelperMetadata

/// Reads files with the heavy libraries.
///
/// Every answer has a time limit of its own, later than tpick's patience ends: for a helper that hangs when tpick is gone.
final class CodecService: HelperService {
  func facts(of file: Int32) throws(CodecError) -> CodecFacts { try facts(of: InputFile(file)) }

  private func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    give_up_after(60)
    defer { give_up_after(0) }
    return try FactsReader.facts(of: file)
  }

  func picture(of file: Int32, _ request: DecodeRequest, seconds: UInt32) throws(CodecError) -> PictureMemory
  {
    give_up_after(max(1, seconds))
    defer { give_up_after(0) }
    let input = InputFile(file, present: request.present)
    do throws(CodecError) {
      let picture = try PictureReader.picture(of: input, request)
      // Whatever a library makes of a file of which it misses something, it is not the file's picture.
      if let missing = input.missing { throw .incomplete(missing) }
      return picture
    } catch {
      if error != .noMemory, let missing = input.missing { throw .incomplete(missing) }
      throw error
    }
  }

  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence {
    try PictureReader.frames(of: InputFile(file, range: request.range), request)
  }

  func report(on file: Int32, _ request: ReportRequest, to bytes: inout [UInt8]) {
    let input = InputFile(file, present: request.presentRanges)
    ReportService.report(
      on: file, request, to: &bytes, { () throws(CodecError) in try facts(of: input) },
      missing: { input.missing })
  }

  func giveUp(after seconds: UInt32) { give_up_after(seconds) }
}
