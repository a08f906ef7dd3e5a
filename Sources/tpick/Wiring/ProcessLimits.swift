import AssetLibrary
import CPlatform
import Dispatch
import FoundationEssentials
import Imaging
import System
import SystemPackage

/// Whether the process may have what a library needs: files that are open at once, and addresses.
///
/// The threads of libdispatch take both, and it waits for ever for a thread that can't be made, and ends the process where
/// it gets no descriptor: so what is not there is noticed before.
enum ProcessLimits {
  /// Descriptors that listing a library takes at a time: libdispatch's own, the index and its journal, the ledger, a
  /// folder, files on their way to a helper, its socket.
  static let descriptors = 13
  /// Those that a picker takes: the terminal, its stream and its memory, signals, and watches of folders besides; and
  /// that it has left for a folder, a file and a helper that starts.
  static let pickerDescriptors = 28
  /// Limits above this are never reached.
  private static let manyDescriptors: rlim_t = 128
  /// Addresses that a library takes beside what the program has when it begins.
  private static let addresses = 24 << 20
  /// Processes that may have more need not save.
  private static let manyAddresses: rlim_t = 1 << 30
  /// The stack of a thread where addresses are few, in place of the usual 8 MiB.
  private static let smallStack = 512 << 10

  /// - Throws: `Failure` where a library could not be read.
  /// - Parameter descriptors: how many files are open at a time.
  static func check(descriptors: Int) throws(Failure) {
    // libdispatch's first thread is one that the second check begins.
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
    // libdispatch takes what it needs to wait now, and not when others have everything.
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

  /// The limit that counts; nil where there is none.
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
