// swift-tools-version: 6.2
import PackageDescription

// Finds the places for faults in Swift sources. Only `Tests/Tools/mutation-test` builds it.
let package = Package(
  name: "mutator",
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1")
  ],
  targets: [
    .executableTarget(
      name: "mutator",
      dependencies: [
        .product(name: "SwiftOperators", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .testTarget(name: "MutatorTests", dependencies: ["mutator"]),
  ]
)
