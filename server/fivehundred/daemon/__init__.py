"""The daemon: the process that runs tournaments and answers operators."""
