import CAVFormat
import CConfinement
import CHEIF
import CHEVC
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

if CommandLine.arguments.count > 2, CommandLine.arguments[1] == HelperProgram.launching {
  ProgramLauncher.become(Array(CommandLine.arguments[2...]))
}

// Standard input is the socket to tpick. Everything that the libraries load they load now: afterwards no path
// opens any more. With UTC as the time zone the libraries' dates stay what the camera's clock showed.
setenv("TZ", "UTC", 1)
tzset()
_ = heif_init(nil)
_ = chevc_register()
av_log_set_level(AV_LOG_QUIET)
_ = confine(4 << 30, true)

var server = CodecServer(socket: STDIN_FILENO)
server.run { descriptor throws(CodecError) in
  // tpick's patience is shorter; this is for a helper that hangs when tpick is gone.
  give_up_after(60)
  defer { give_up_after(0) }
  return try FactsReader.facts(of: InputFile(descriptor))
} picture: { descriptor, request, seconds throws(CodecError) in
  give_up_after(max(1, seconds))
  defer { give_up_after(0) }
  return try PictureReader.picture(of: InputFile(descriptor), request)
} frames: { descriptor, request throws(CodecError) in
  try PictureReader.frames(of: InputFile(descriptor, range: request.range), request)
} giveUpAfter: {
  give_up_after($0)
}
