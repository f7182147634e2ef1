// swift-format-ignore-file
// Printed by a `PipelineFuzzer`; see `PrintedPipelineTests`.
func printedPipeline() throws {
}
