import PhotoPicker

/// What the program may do, without a question to the user.
func describeAccess(of library: PhotoLibrary) -> String {
  switch library.manager.authorizationStatus(for: .readWrite) {
  case .notDetermined: "not asked yet"
  case .restricted, .denied: "no photos"
  case .limited: "\(library.manager.fetchAssets().count) chosen photos"
  case .authorized: "all photos"
  }
}

/// Lets the user choose other photos, and tells which ones are new.
func chooseOthers(in library: PhotoLibrary) async throws -> [String] {
  guard library.manager.authorizationStatus(for: .readWrite) == .limited else { return [] }
  let added = try await library.presentLimitedLibraryPicker()
  let photos = library.manager.fetchAssets(withLocalIdentifiers: added, options: FetchOptions())
  return photos.compactMap { $0.primaryResource?.originalFilename }
}

/// Asks in the program's own user interface, and remembers the answer for this run.
struct DialogConsent: ConsentPresenter {
  let ask: @Sendable (_ question: String, _ answers: [String]) async -> Int?

  func decision(for request: ConsentRequest) async -> ConsentDecision? {
    let answers = ConsentDecision.answers(to: request.level)
    let purpose = request.purpose.map { " \($0)" } ?? ""
    let words = answers.map { "\($0.status.word)" }
    return await ask("\(request.client) wants to see your photos\(purpose)", words).map { answers[$0] }
  }

  func allows(_ request: ChangeConsentRequest) async -> Bool {
    await ask(request.text, ["Allow", "Don't allow"]) == 0
  }
}

/// A library with consent and storage of the program's own.
func openLibrary(
  _ store: any AssetStore, decision: AccessDecision, consent: DialogConsent,
  save: @escaping @Sendable (AccessDecision) -> Void
) -> PhotoLibrary {
  PhotoLibrary(
    store, decision: decision, consentRequest: ConsentRequest(client: "chat", purpose: "to attach them"),
    consent: consent, record: save)
}
