import AssetLibrary
import CursesHost
import Dispatch
import PickerRuntime
import PickerUI

/// The picker over a library that never answers, for tests of what it does meanwhile.
///
/// The argument names what hangs: `pictures` and everything but the first fetch, or the whole `library`. With `work`
/// there is also long work, which stops when it is told to.

let answers = CommandLine.arguments.dropFirst().first == "library" ? 0 : 1
let consent = ConsentScreen()
let access = LibraryAccessController(
  store: StuckStore(answers: answers), images: StuckImages(), status: .authorized,
  consentRequest: ConsentRequest(client: "stuck-picker"), consent: consent)
var options = PickerState.Options()
options.configuration.selectionLimit = 3
let works = WorkReporter()
let host = PickerHost(library: PickerLibrary(access), consent: consent, works: works)
if CommandLine.arguments.contains("work") {
  let work = Work(id: "work", title: "exporting", done: 12, total: 48, elapsed: 20, isStoppable: true)
  works.begin(work) {
    DispatchQueue.global().async { works.end("work", message: "12 photos exported") }
  }
}
do {
  switch try host.run(options) {
  case .picked(let assets, _): for asset in assets { print(asset.id) }
  case .cancelled, .become: print("cancelled")
  case .albumNotFound: print("no such album")
  case .unavailable(let reason): print("unavailable \(reason)")
  case .refused(let status): print("refused \(status.word)")
  }
} catch {
  print(error)
}
