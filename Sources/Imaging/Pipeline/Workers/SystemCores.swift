import System

/// How many processors this machine offers.
enum SystemCores {
  static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
