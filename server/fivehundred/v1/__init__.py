"""Generated from proto/fivehundred/v1; not edited."""
