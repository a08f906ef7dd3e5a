import CPlatform
import CConfinement
import CodecProtocol
import System

// Standard input is the socket to tpick. After `confine`, no path can be opened.
allocator_return_large_blocks()
let isConfinable = process_argument(1).map { String(cString: $0) } != HelperProgram.unconfined
let state = isConfinable ? confine(HelperProgram.memory, false) : confinement()

var server = CodecServer(
  socket: STDIN_FILENO,
  confinement: HelperConfinement(hasFilter: state.has_filter, landlock: state.landlock))
guard let service = ReaderService(server.interruption) else { exit(1) }
server.run(service)
