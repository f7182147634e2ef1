@testable import Assemblage
import TestSupport
import Testing

@Suite struct SharedPathTests {
  /// Makes new paths of random former ones. Components are few, so that many paths are equal that share no end.
  @Test func randomPathsAreLikeArrays() {
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("shared-path", iteration: iteration)
      var paths = [(path: SharedPath(), model: [Int]())]
      for _ in 0..<60 {
        let (path, model) = paths.randomElement(using: &generator)!
        let number = Int.random(in: -1...2, using: &generator)
        let numbers = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          Int.random(in: 0...2, using: &generator)
        }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: paths.append((path.prepending(number), [number] + model))
        case 1: paths.append((path.prepending(contentsOf: numbers), numbers + model))
        case 2: paths.append((path.dropFirst(), Array(model.dropFirst())))
        case 3: paths.append((path.replaced(by: numbers), numbers))
        default:
          let mapped = path.mappingFirst { $0 == number ? nil : $0 + 1 }
          let isNil = model.first == nil || model.first == number
          #expect((mapped == nil) == isNil)
          if let mapped { paths.append((mapped, [model[0] + 1] + model.dropFirst())) }
        }
      }
      for (path, model) in paths {
        #expect(path.components == model && path.first == model.first && path.isEmpty == model.isEmpty)
      }
      #expect(Set(paths.map(\.path)).count == Set(paths.map(\.model)).count)
      let (one, other) = (paths.randomElement(using: &generator)!, paths.randomElement(using: &generator)!)
      #expect((one.path == other.path) == (one.model == other.model))
    }
  }
}
