import SystemPackage
import System

/// bubblewrap's `bwrap`, which creates sandboxes.
struct Bubblewrap {
  let path: String

  /// Finds the program, and tests it by creating a sandbox, before the user is asked for anything.
  /// - Throws: `Failure` if it is missing, or can't create a sandbox.
  init() throws(Failure) {
    guard let path = ProcessEnvironment.program("bwrap") else {
      throw .error("run: bwrap not found: install bubblewrap")
    }
    self.path = path
    try check()
  }

  /// - Throws: `Failure` with the error of bwrap.
  private func check() throws(Failure) {
    let words = [
      "bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "--",
      "/usr/bin/true",
    ]
    let (process, errors): (ChildProcess, Int32)
    do throws(Errno) {
      let ends = try ChildProcess.pipe()
      defer { close(ends.writeEnd) }
      do throws(Errno) {
        process = try ChildProcess(
          words.map { Array($0.utf8) }, path: path, input: .null, output: .null,
          errors: .descriptor(ends.writeEnd))
      } catch {
        close(ends.readEnd)
        throw error
      }
      errors = ends.readEnd
    } catch {
      throw .error("run: bwrap: \(error)")
    }
    defer { close(errors) }
    let said = DescriptorText.read(errors)
    let status = process.wait() ?? 0
    guard status == 0 else {
      let line = String(decoding: said, as: UTF8.self).split(separator: "\n").first.map(String.init)
      throw .error(
        "run: can't make a sandbox: \(line ?? "bwrap ended with status \(status)")"
          + "; it needs bubblewrap 0.8 and user namespaces (sysctl user.max_user_namespaces)")
    }
  }
}
