// Without Assemblage, whose class `Observation` would hide the module that the macro's code names.
import Observation

/// A model that says what is read and changed.
@Observable final class ObservablePerson {
  var name = "Ada"
  var motto = "?"
  var friends = ["Al"]
  var children: [ObservablePerson] = []

  init(_ name: String = "Ada") { self.name = name }
}
