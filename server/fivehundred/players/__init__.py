"""Ways to reach a bot: a stream or single calls over gRPC, a launched process, the same process."""
