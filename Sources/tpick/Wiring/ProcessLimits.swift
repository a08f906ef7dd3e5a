import AssetLibrary
import CPlatform
import Dispatch
import FoundationEssentials
import Imaging
import System
import SystemPackage

/// Checks whether the process may have the resources that a library needs: open files and address space.
///
/// The threads of libdispatch need both. It waits forever for a thread that can't be created, and aborts without a
/// descriptor, so shortages are detected in advance.
enum ProcessLimits {
  /// The descriptors that listing a library needs at a time: libdispatch's own, the index and its journal, the ledger,
  /// a folder, files on their way to a helper, its socket.
  static let descriptors = 13
  /// Those that a picker needs: the terminal, its stream and its memory, signals, and watches of folders, plus those
  /// for a folder, a file and a starting helper.
  static let pickerDescriptors = 28
  /// Limits above this are never reached.
  private static let manyDescriptors: rlim_t = 128
  /// The address space that a library needs in addition to that of the program at startup.
  private static let addresses = 24 << 20
  /// Processes with a higher limit need not save address space.
  private static let manyAddresses: rlim_t = 1 << 30
  /// The stack size of threads if address space is scarce, instead of the usual 8 MiB.
  private static let smallStack = 512 << 10

  /// - Throws: `Failure` if a library could not be read.
  /// - Parameter descriptors: the number of files open at a time.
  static func check(descriptors: Int) throws(Failure) {
    // libdispatch's first thread is started by the second check.
    try checkAddresses()
    try checkDescriptors(descriptors)
  }

  private static func checkDescriptors(_ descriptors: Int) throws(Failure) {
    guard let limit = current(RLIMIT_NOFILE), limit < manyDescriptors else { return }
    var taken: [Int32] = []
    while taken.count < descriptors {
      let next = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard next >= 0 else { break }
      taken.append(next)
    }
    for descriptor in taken { close(descriptor) }
    guard taken.count == descriptors else {
      let needed = Int(limit) - taken.count + descriptors
      throw .error(
        "the limit is \(Wording.count(limit, "open file")), but \(needed) are needed (ulimit -n)")
    }
    // Makes libdispatch allocate what it needs for waiting now, before other parts use everything.
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tpick.limits"))
    timer.schedule(deadline: .distantFuture)
    timer.setEventHandler {}
    timer.activate()
    timer.cancel()
  }

  private static func checkAddresses() throws(Failure) {
    guard let limit = current(RLIMIT_AS), limit < manyAddresses else { return }
    process_set_stack_size(smallStack)
    let room = mmap(nil, addresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let room, room != MAP_FAILED else {
      throw .error("the memory limit is \(limit >> 20) MB, but more is needed (ulimit -v)")
    }
    munmap(room, addresses)
  }

  /// The effective limit; nil if there is none.
  private static func current(_ resource: __rlimit_resource) -> rlim_t? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_cur : nil
  }
}

/// Writes counters of the run as JSON to the file given by `--debug-stats`, for tests and bug reports.
struct DebugStats {
  let path: FilePath

  init?(_ word: String?) {
    guard let word else { return nil }
    path = FilePath(bytes: ArgumentBytes.bytes(word))
  }

  private struct Document: Encodable {
    var images: ImageCounters
  }

  /// Writes the counters; warns if the file can't be written.
  func write(images: ImageCounters) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    do {
      let bytes = try encoder.encode(Document(images: images))
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(bytes) }
    } catch {
      Messages.warn("--debug-stats: \(Wording.name(String(decoding: path.bytes, as: UTF8.self))): \(error)")
    }
  }
}
