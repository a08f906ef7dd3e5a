import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

var server = CodecServer(socket: STDIN_FILENO)
server.run(StandIn(server.interruption))
