import SystemPackage
import System

/// tpick itself as another process, which picks or copies and prints paths.
///
/// The process around the sandbox opens no library: it has no threads, and what ends the picker does not end what
/// runs in the sandbox.
struct OwnProgram {
  let identifier: pid_t
  /// What it prints, never blocking; closed by `close`.
  let output: Int32

  /// Starts it in the group of this process.
  /// - Parameters:
  ///   - input: what it reads; nil = the terminal.
  /// - Throws: `Failure` where it can't be started.
  init(_ arguments: [[UInt8]], input: [UInt8]? = nil) throws(Failure) {
    let source = input.flatMap(DescriptorText.memory)
    defer { if let source { Glibc.close(source) } }
    // The options that the user always wants are for the picker alone, and may run programs.
    let environment = EnvironmentBytes.ofProcess.filter {
      !$0.starts(with: Array("\(DefaultOptions.variable)=".utf8))
    }
    let stream: ChildProcess.Stream =
      source.map { .descriptor($0) } ?? (input == nil ? .inherited : .null)
    do throws(Errno) {
      let ends = try ChildProcess.pipe()
      defer { Glibc.close(ends.writeEnd) }
      do throws(Errno) {
        let process = try ChildProcess(
          [Array("tpick".utf8)] + arguments, path: "/proc/self/exe", environment: environment, input: stream,
          output: .descriptor(ends.writeEnd), resetting: .all)
        _ = fcntl(ends.readEnd, F_SETFL, O_NONBLOCK)
        (identifier, output) = (process.identifier, ends.readEnd)
      } catch {
        Glibc.close(ends.readEnd)
        throw error
      }
    } catch {
      throw .error("run: tpick: \(error)")
    }
  }

  func close() { Glibc.close(output) }
}
