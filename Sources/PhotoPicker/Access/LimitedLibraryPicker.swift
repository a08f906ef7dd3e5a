public import AssetLibrary
import CursesHost
import PickerRuntime
import PickerUI
import System

/// The consent screen of the picker: asks the user on the terminal while a picker is presented.
///
/// Give it to the `PhotoLibrary` whose picker asks. Programs with a user interface of their own implement
/// `ConsentPresenter` instead.
public struct PickerConsent: ConsentPresenter {
  let screen = ConsentScreen()

  /// Creates a consent screen.
  public init() {}

  /// Asks the user; nil if no picker is on the terminal, or the user closed the question.
  public func decision(for request: ConsentRequest) async -> ConsentDecision? {
    await screen.decision(for: request)
  }

  /// Asks the user about a change; false if no picker is on the terminal, or the user declined.
  public func allows(_ request: ChangeConsentRequest) async -> Bool { await screen.allows(request) }
}

extension PhotoLibrary {
  /// Shows the picker in which the user chooses the photos that the client may see:
  /// PhotoKit's `presentLimitedLibraryPicker(from:completionHandler:)`.
  ///
  /// The user sees the whole library, and the allowed photos are picked. No thread of the caller waits; cancelling the
  /// task ends the picker without a change. The choice counts at once, and is stored like the first decision.
  /// - Returns: the photos that were not allowed before; empty if the user cancelled.
  /// - Throws: `PhotoPickerError`; `access` if the client's access is not limited.
  public func presentLimitedLibraryPicker() async throws(PhotoPickerError) -> [LocalIdentifier] {
    if Task.isCancelled { return [] }
    let control = PickerControl()
    let result = await withTaskCancellationHandler {
      await WorkerThread.value {
        Result { () throws(PhotoPickerError) in try chooseLimitedSelection(control) }
      }
    } onCancel: {
      control.dismiss()
    }
    return try result.get()
  }

  private func chooseLimitedSelection(
    _ control: PickerControl
  ) throws(PhotoPickerError) -> [LocalIdentifier] {
    let decision = access.decision
    guard decision.readWrite == .limited else { throw .access(decision.readWrite) }
    var options = PickerState.Options()
    options.client.name = access.client.client
    options.client.purpose = access.client.purpose
    options.opening.choosesAccess = true
    options.opening.endsWithAccess = true
    guard case .accessChosen = try runPicker(options, control) else { return [] }
    return access.limitedSelection.subtracting(decision.allowed.identifiers).sorted()
  }
}
