import CAllocator
import CConfinement
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

allocator_return_large_blocks()
// Standard input is the socket to tpick. From here on no path opens any more.
_ = confine(2 << 30, false)

var server = CodecServer(socket: STDIN_FILENO)
guard let service = ReaderService(server.interruption) else { exit(1) }
server.run(service)
