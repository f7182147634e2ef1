import Assemblage
import AssemblageSearch
import Foundation

extension Suite {
  /// A search in n names of 8 to 24 characters.
  static var search: Suite {
    Suite("search") {
      Operation(
        "build",
        index { index, node, context in
          Trial(node, elementsPerOperation: context.n, byteCount: index.byteCount) { TextIndex(of: $0).count }
        },
        Subject("String.contains", .competitor) { context in
          Trial(names(context), elementsPerOperation: context.n) { LoweredNames($0).names.count }
        },
        Subject("memmem", .competitor) { context in
          let names = names(context)
          return Trial(names, elementsPerOperation: context.n, byteCount: NameBuffer(names).byteCount) {
            NameBuffer($0).bytes.count
          }
        })
      Operation(name: "substring", subjects: counting(Names.rare))
      Operation(name: "frequent", subjects: counting(Names.frequent))
      Operation(
        "objects",
        Subject("TextIndex", .library) { context in
          let node = ArrayNode(names(context).map(Person.init))
          return Trial(TextIndex(of: node, text: \.name), elementsPerOperation: context.n) {
            $0.count(for: .substring(Names.rare))
          }
        },
        Subject("String.contains", .competitor) { context in
          Trial(names(context).map { Person($0.lowercased()) }, elementsPerOperation: context.n) { people in
            people.reduce(0) { $0 + ($1.name.contains(Names.rare) ? 1 : 0) }
          }
        })
      Operation(
        "words",
        index { index, _, context in
          Trial(index, elementsPerOperation: context.n) { $0.count(for: .words(Names.words)) }
        },
        lowered { names, context in
          let words = Names.words.split(separator: " ").map(String.init)
          return Trial(names, elementsPerOperation: context.n) { $0.count(containingAll: words) }
        })
      Operation(
        "fuzzy",
        index { index, _, context in
          Trial(index, elementsPerOperation: context.n) { $0.count(for: .fuzzy(Names.fuzzy)) }
        },
        Subject("UTF8View", .competitor) { context in
          Trial(LoweredNames(names(context)), elementsPerOperation: context.n) { $0.count(inOrder: Names.fuzzy) }
        })
      Operation("best", best)
      // The filter changes from one query to another. In the operation below, a letter is typed.
      Operation(
        "filter",
        index { index, node, context in
          Trial((FilterNode(node) { _ in true }, index, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.2.toggle()
              state.0.setSearch(.substring(state.2 ? Names.rare : Names.other), in: state.1)
            }
            return state.0.count
          }
        },
        Subject("String.contains", .competitor) { context in
          let node = ArrayNode(LoweredNames(names(context)).names)
          return Trial((FilterNode(node) { _ in true }, false), elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.1.toggle()
              let query = state.1 ? Names.rare : Names.other
              state.0.setPredicate { $0.contains(query) }
            }
            return state.0.count
          }
        })
      Operation(
        "narrow",
        index { index, node, context in
          Trial(
            (FilterNode(node) { _ in true }, index), elementsPerOperation: context.n, mostOperations: 1,
            reset: { state, _ in state.0.setSearch(.substring(String(Names.rare.dropLast())), in: state.1) },
            run: { state, _ in
              state.0.setSearch(.substring(Names.rare), in: state.1)
              return state.0.count
            })
        },
        Subject("String.contains", .competitor) { context in
          let node = ArrayNode(LoweredNames(names(context)).names)
          return Trial(
            FilterNode(node) { _ in true }, elementsPerOperation: context.n, mostOperations: 1,
            reset: { filter, _ in
              let query = String(Names.rare.dropLast())
              filter.setPredicate { $0.contains(query) }
            },
            run: { filter, _ in
              filter.setPredicate(hint: .stricter) { $0.contains(Names.rare) }
              return filter.count
            })
        })
      // Folders of 100 names.
      Operation(
        "filter-tree",
        Subject("TextIndex", .library) { context in
          let forest = forest(names(context))
          let state = (TreeFilterNode(forest) { _ in true }, TextIndex(of: forest), false)
          return Trial(state, elementsPerOperation: context.n) { state, operations in
            for _ in 0..<operations {
              state.2.toggle()
              state.0.setSearch(.substring(state.2 ? Names.rare : Names.other), in: state.1)
            }
            return state.0.count
          }
        },
        Subject("String.contains", .competitor) { context in
          let forest = forest(LoweredNames(names(context)).names)
          return Trial((TreeFilterNode(forest) { _ in true }, false), elementsPerOperation: context.n) {
            state, operations in
            for _ in 0..<operations {
              state.1.toggle()
              let query = state.1 ? Names.rare : Names.other
              state.0.setPredicate { $0.contains(query) }
            }
            return state.0.count
          }
        })
      Operation(
        "edit",
        edit(
          "TextIndex", .library,
          { names in
            let node = ArrayNode(names)
            return (node, TextIndex(of: node))
          },
          { $0.0[$1] = $2 }),
        edit("String.contains", .competitor, { LoweredNames($0) }, { $0[$1] = $2 }),
        edit("memmem", .competitor, { NameBuffer($0) }, { $0.replace(at: $1, with: $2) }))
    }
  }

  // MARK: Sources

  private static func names(_ context: Context) -> [String] {
    var context = context
    return Names.make(context.n, using: &context.generator)
  }

  private static func index(_ trial: @escaping (TextIndex<String>, ArrayNode<String>, Context) -> Trial) -> Subject {
    Subject("TextIndex", .library) { context in
      let node = ArrayNode(names(context))
      return trial(TextIndex(of: node), node, context)
    }
  }

  private static func lowered(_ trial: @escaping (LoweredNames, Context) -> Trial) -> Subject {
    Subject("String.contains", .competitor) { context in trial(LoweredNames(names(context)), context) }
  }

  private static func buffer(_ trial: @escaping (NameBuffer, Context) -> Trial) -> Subject {
    Subject("memmem", .competitor) { context in trial(NameBuffer(names(context)), context) }
  }

  private static func counting(_ query: String) -> [Subject] {
    [
      index { index, _, context in Trial(index, elementsPerOperation: context.n) { $0.count(for: .substring(query)) } },
      lowered { names, context in Trial(names, elementsPerOperation: context.n) { $0.count(containing: query) } },
      Subject("localizedStandardContains", .competitor) { context in
        Trial(names(context), elementsPerOperation: context.n) { names in
          names.reduce(0) { $0 + ($1.localizedStandardContains(query) ? 1 : 0) }
        }
      },
      buffer { buffer, context in Trial(buffer, elementsPerOperation: context.n) { $0.count(containing: query) } },
    ]
  }

  private static var best: Subject {
    index { index, _, context in
      Trial(index, elementsPerOperation: context.n) { $0.best(for: .fuzzy(Names.fuzzy), limit: 50).count }
    }
  }

  private static func forest(_ names: [String]) -> ForestNode<String> {
    // The children are requested in the order of the names.
    var number = 0
    return ForestNode(stride(from: 0, to: names.count, by: 101).map { names[$0] }) { _ in
      defer { number += 1 }
      return number % 101 == 0 ? names[number + 1..<min(number + 101, names.count)] : nil
    }
  }

  // MARK: Edits of one name

  private static func edit<State>(
    _ name: String, _ origin: Subject.Origin, _ make: @escaping ([String]) -> State,
    _ replace: @escaping (inout State, Int, String) -> Void
  ) -> Subject {
    Subject(name, origin) { context in
      let names = names(context)
      let others = Names.make(256, using: &context.generator)
      let places = context.places(in: max(1, context.n))
      return Trial((make(names), places, others)) { state, operations in
        for operation in 0..<operations { replace(&state.0, state.1.next(), state.2[operation & 255]) }
        return operations
      }
    }
  }
}
