"""Rules and table values to and from v1 messages; errors to gRPC codes."""
