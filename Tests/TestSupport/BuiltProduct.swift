public import Foundation

/// Returns the file of an executable that was built with the tests.
///
/// - Parameter name: the executable's name.
/// - Returns: the file, in the folder that contains the tests' own product.
public func builtProduct(_ name: String) -> URL {
  let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
  let folder = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  return folder.appending(path: name)
}
