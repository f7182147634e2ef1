// Both modules, as in a user's file: nothing of the one may hide what the macro's code names of the other.
import Assemblage
import Observation

/// A model that says what is read and changed.
@Observable final class ObservablePerson {
  var name = "Ada"
  var motto = "?"
  var friends = ["Al"]
  var children: [ObservablePerson] = []

  init(_ name: String = "Ada") { self.name = name }
}
