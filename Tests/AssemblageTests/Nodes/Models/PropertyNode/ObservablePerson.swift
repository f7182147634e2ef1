// Both modules are imported, as in a user's file. A name of one module must not hide a name that the macro's code uses
// from the other.
import Assemblage
import Observation

/// A model that reports its reads and changes.
@Observable final class ObservablePerson {
  var name = "Ada"
  var motto = "?"
  var friends = ["Al"]
  var children: [ObservablePerson] = []

  init(_ name: String = "Ada") { self.name = name }
}
