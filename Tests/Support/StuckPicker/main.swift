import AssetLibrary
import CursesHost
import Dispatch
import PickerRuntime
import PickerUI

/// The picker with a library that never answers, for tests of its behavior meanwhile.
///
/// The argument names what hangs: `pictures` and everything except the first fetch, or the whole `library`. With `work`
/// there is also long work, which can be stopped. With `delivery` the result is delivered halfway, and no further until
/// it is stopped.

let answers = CommandLine.arguments.dropFirst().first == "library" ? 0 : 1
let consent = ConsentScreen()
let access = LibraryAccessController(
  store: StuckStore(answers: answers), images: StuckImages(), status: .authorized,
  consentRequest: ConsentRequest(client: "stuck-picker"), consent: consent)
var options = PickerState.Options()
options.configuration.selectionLimit = 3
let works = WorkReporter()
var delivery: ResultDelivery?
if CommandLine.arguments.contains("delivery") {
  options.deliversResults = true
  delivery = ResultDelivery { assets, representation, cancellation, report in
    let progress = DeliveryProgress(
      assets: assets.count / 2, assetCount: assets.count, bytes: 1_000_000, byteCount: 2_000_000,
      activity: representation.isPlain ? .copying : .converting)
    while !cancellation.isCancelled { report(progress) }
  }
}
let host = PickerHost(library: PickerLibrary(access), consent: consent, works: works, delivery: delivery)
if CommandLine.arguments.contains("work") {
  let work = Work(id: "work", title: "exporting", done: 12, total: 48, elapsed: 20, isStoppable: true)
  works.begin(work) {
    DispatchQueue.global().async { works.end("work", message: "12 photos exported") }
  }
}
do {
  switch try host.run(options) {
  case .picked(let assets, _, let representation):
    for asset in assets { print(asset.id) }
    if let side = representation.longestSide { print("at most \(side) pixels") }
  case .cancelled, .accessChosen, .become: print("cancelled")
  case .albumNotFound: print("no such album")
  case .unavailable(let reason): print("unavailable \(reason)")
  case .refused(let status): print("refused \(status.word)")
  }
} catch {
  print(error)
}
