import Foundation
import TestSupport
import Testing

@Suite(.smallStack) struct SmallStackTests {
  @Test(arguments: 0..<2) func eachTestRunsOnASmallStack(number: Int) {
    #expect(Thread.current.stackSize == SmallStack.size)
  }
}
