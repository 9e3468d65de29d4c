"""The machine under the server: data folder, clock, tasks, certificates and checks."""
