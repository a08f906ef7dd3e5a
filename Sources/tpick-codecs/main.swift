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
server.run(CodecService())
