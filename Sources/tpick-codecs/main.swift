import CAVFormat
import CConfinement
import CHEIF
import CCodecs
import CPlatform
import CodecProtocol
import System

var arguments = (0..<process_argument_count()).compactMap { process_argument($0).map { String(cString: $0) } }
  .dropFirst()
let isConfinable = arguments.first != HelperProgram.unconfined
if !isConfinable { arguments.removeFirst() }
if let word = arguments.first, [HelperProgram.launching, HelperProgram.launchingAnyway].contains(word),
  arguments.count > 1
{
  let mustBeConfined = word == HelperProgram.launching
  ProgramLauncher.become(
    Array(arguments.dropFirst()), isConfinable: isConfinable, mustBeConfined: mustBeConfined)
}

// Standard input is the socket to tpick. The libraries load everything that they need now: after `confine`, no path
// can be opened. UTC as the time zone keeps the libraries' dates in the camera's local time.
setenv("TZ", "UTC", 1)
tzset()
_ = heif_init(nil)
_ = chevc_register()
av_log_set_level(AV_LOG_QUIET)
let state = isConfinable ? confine(HelperProgram.memory, true) : confinement()

var server = CodecServer(
  socket: STDIN_FILENO,
  confinement: HelperConfinement(hasFilter: state.has_filter, landlock: state.landlock))
server.run(CodecService())
