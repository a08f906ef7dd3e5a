import FoundationEssentials
import Testing

@testable import Rclone

@Suite struct RemoteAddressTests {
  @Test(arguments: [
    ("nas:", "nas:", ""), ("nas:photos", "nas:", "photos"), ("nas:photos/2024/", "nas:", "photos/2024"),
    // If it begins elsewhere because of a slash, it is another remote.
    ("nas:/srv/photos/", "nas:/", "srv/photos"), ("nas://", "", ""),
    (":sftp,host=h:/a", ":sftp,host=h:/", "a"),
    ("rclone::webdav,url='http://h':/a", ":webdav,url='http://h':", "a"),
    // With valid URI escapes decoded.
    ("rclone:nas:100%25%20%231/50%", "nas:", "100% #1/50%"), ("rclone:%3Alocal:/a", ":local:/", "a"),
    ("nas,timeout=1m:x", "nas,timeout=1m:", "x"),
    ("My NAS-1.2_x+y@z:a:b", "My NAS-1.2_x+y@z:", "a:b"),
    ("rclone:nas:photos", "nas:", "photos"), ("rclone:photos", "rclone:", "photos"),
    ("rclone:", "rclone:", ""),
    ("rclone:nas,timeout=1m:x", "nas,timeout=1m:", "x"), ("rclone::local:/srv", ":local:/", "srv"),
    (":local:/srv/x/", ":local:/", "srv/x"),
    (":sftp,host=example.org:photos", ":sftp,host=example.org:", "photos"),
    (":webdav,url='https://h/a,b':x", ":webdav,url='https://h/a,b':", "x"),
    (":webdav,url=\"https://h/\"\"q\"\"\",flag:", ":webdav,url=\"https://h/\"\"q\"\"\",flag:", ""),
    ("nas:é/☃", "nas:", "é/☃"),
  ])
  func `A word that names a remote is parsed`(_ word: String, _ remote: String, _ path: String) {
    let address = RemoteAddress(word)
    // "" = the word is no remote.
    #expect(address?.remote ?? "" == remote && address?.path ?? "" == path)
    if let address, !word.hasPrefix("rclone:") {
      #expect(word.hasPrefix(address.text))
      #expect(word.dropFirst(address.text.count).allSatisfy { $0 == "/" })
      #expect(RemoteAddress(address.text) == address)
    }
  }

  @Test(arguments: [
    ("nas:a//b/", "a/b"), ("nas:./a/./b", "a/b"), ("nas:a/../b", "b"), ("nas:a/b/../..", ""), ("nas:.", ""),
    ("nas:../a", "../a"), ("nas:a/../../b", "../b"), ("nas:../../a/..", "../.."),
    ("nas:...a/..b", "...a/..b"),
  ])
  func `One folder has one address, however it is spelled`(_ word: String, _ path: String) {
    #expect(RemoteAddress(word)?.path == path)
  }

  @Test(arguments: [
    ("webdav", "nas:a"), ("s3", "nas:a"), ("drive", "nas:a"), ("sftp", "nas:/a"), ("ftp", "nas:/a"),
    ("local", "nas:/a"), ("alias", "nas:/a"), ("crypt", "nas:/a"), (nil, "nas:/a"),
  ])
  func `A leading slash matters if the kind of server distinguishes it, or is unknown`(
    _ kind: String?, _ text: String
  ) {
    #expect(RemoteAddress("nas:/a") { name in name == "nas" ? kind : "webdav" }?.text == text)
  }

  @Test func `The kinds of remotes are read from the configuration file unless it is encrypted`() {
    let text =
      "# x\n[nas]\ntype = webdav\nurl=http://h/?a=b\n\n[My Box]\n type  =  sftp \r\n;type = s3\n[x]\n"
    let found = RemoteOptions.sections(of: Data(text.utf8))
    #expect(found["nas"] == ["type": "webdav", "url": "http://h/?a=b"])
    #expect(found["My Box"] == ["type": "sftp"])
    #expect(RemoteOptions.sections(of: Data("# x\nRCLONE_ENCRYPT_V0:\n[nas]\ntype = x".utf8)).isEmpty)
  }

  @Test(arguments: [
    "", "photos", "./nas:x", "/srv/nas:x", "a/b:c", "-nas:x", " nas:x", "nas :x", "https://example.org/x",
    "file:///x",
    "é:x", "nas,flag:x", "Trip, day 1: Rome.jpg", ":", "::x", ":local", ":webdav,url='https://h:x",
    ":webdav,url='h'x:y",
    ":webdav,=x:",
    ":web dav:",
  ])
  func `Other words are no remotes`(_ word: String) {
    #expect(RemoteAddress(word) == nil)
  }

  @Test func `Options are read with their quotes, and messages show none of their secrets`() throws {
    let text = ":webdav,url='https://me:pw@h:8443/it''s',vendor=other,user=me,pass=\"a,b:c\"\"d\",flag:rest"
    let found = try #require(RemoteSpecification(text))
    #expect(found.backend == "webdav" && text.utf8.count - found.length == 4)
    #expect(
      found.options.map { "\($0.name)=\($0.value)" } == [
        "url=https://me:pw@h:8443/it's", "vendor=other", "user=me", "pass=a,b:c\"d", "flag=true",
      ])
    #expect(found.publicName == ":webdav,url=https://h:8443/it's:")
    #expect(Set(found.secrets) == ["me:pw", "pw", "other", "me", "a,b:c\"d"])
    #expect(RcloneRemote(text).subject == found.publicName)
    #expect(RcloneRemote(text).engineName == "tpick0:")
    #expect(RcloneRemote("nas:").engineName == "nas:")
  }

  @Test(arguments: [
    // A remote within a remote, with its quotes, also nested twice.
    (":alias,remote=\":webdav,pass=Xsecret:\":", ":alias,remote=:webdav::", ["Xsecret"]),
    (
      ":alias,remote=':alias,remote=\":webdav,url=''https://me:Xsecret@h/d'',pass=Ysecret:a\":':",
      ":alias,remote=:alias,remote=:webdav,url=https://h/d:a::", ["Xsecret", "Ysecret"]
    ),
    (":crypt,remote='nas,pass=Xsecret:a',password=Ysecret:", ":crypt,remote=nas:a:", ["Xsecret", "Ysecret"]),
    // Unparsable text is not shown.
    (":alias,remote=\":webdav,pass=Xsecret\":", ":alias:", ["pass=Xsecret"]),
    (":alias,remote='pass=Xsecret':", ":alias:", ["pass=Xsecret"]),
    (":webdav,url='https://me:Xsecret/y@h/':", ":webdav:", ["Xsecret/y"]),
    (":webdav,url='https://me:12/y@h/':", ":webdav:", ["12/y"]),
    (":webdav,url='https://h/a?sig=Xsecret#b':", ":webdav,url=https://h/a:", ["Xsecret"]),
    (":sftp,host='me:Xsecret@h':", ":sftp:", ["Xsecret"]), (":s3,provider='x y':", ":s3:", ["x y"]),
    (":union,upstreams=':webdav,pass=Xsecret: /a':", ":union:", ["Xsecret"]),
    (":s3,endpoint=e.example,region=eu-1:", ":s3,endpoint=e.example,region=eu-1:", []),
    (":alias,remote=/srv/a:", ":alias,remote=/srv/a:", []),
  ])
  func `No form of a remote reveals its secrets`(text: String, name: String, hidden: [String]) throws {
    let found = try #require(RemoteSpecification(text))
    #expect(found.publicName == name)
    let secrets = SecretTexts.forms(of: found.secrets)
    for told in [text, text.replacing("\"", with: "\\\""), "x: \(text.replacing("'", with: "''")): y"] {
      let words = RcloneMessage.cleaned(told, hiding: secrets)
      for secret in hidden where secret.count > 3 { #expect(!words.contains(secret), "\(words)") }
    }
  }

  @Test func `Nested remotes are followed to a limited depth`() throws {
    var text = ":webdav,pass=Xsecret:"
    for _ in 0..<10 { text = ":alias,remote=\"\(text.replacing("\"", with: "\"\""))\":" }
    let found = try #require(RemoteSpecification(text))
    #expect(!found.publicName.contains("Xsecret"))
    #expect(!RcloneMessage.cleaned(text, hiding: SecretTexts.forms(of: found.secrets)).contains("Xsecret"))
  }

  @Test func `Secrets from the environment appear in no message`() {
    let variables = [
      "RCLONE_WEBDAV_URL=https://me:Xsecret@h/", "RCLONE_CONFIG_NAS_PASS=Ysecret", "RCLONE_TRANSFERS=many",
      "RCLONE_CONFIG_A_REMOTE=:webdav,bearer_token=Zsecret:", "RCLONE_CONFIG_PASS=Vsecret", "PASS=path",
      "RCLONE_S3_ENV_AUTH=false",
    ].map { Array($0.utf8) }
    let secrets = SecretTexts.forms(of: SecretTexts.inEnvironment(variables))
    #expect(Set(["Xsecret", "Ysecret", "Zsecret", "Vsecret"]).isSubset(of: secrets))
    #expect(!secrets.contains("many") && !secrets.contains("path") && !secrets.contains("false"))
    #expect(
      RedactedWord.text(of: ":webdav,pass=\"X") == ":webdav…" && RedactedWord.text(of: "photos") == "photos")
  }

  @Test func `Remotes from the environment are known by name`() {
    let variables = [
      "RCLONE_CONFIG_MY_NAS_TYPE=webdav", "RCLONE_CONFIG_MY_NAS_URL=https://h/", "RCLONE_CONFIG_X_TYPE=local",
      "RCLONE_CONFIG_PASS=x", "PATH=/bin",
    ].map { Array($0.utf8) }
    #expect(
      EnvironmentRemotes.options(of: "my-nas", in: variables) == ["type": "webdav", "url": "https://h/"])
    #expect(EnvironmentRemotes.options(of: "y", in: variables).isEmpty)
    #expect(EnvironmentRemotes.names(in: variables) == ["my_nas", "x"])
  }
}
