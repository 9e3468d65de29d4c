"""The machine under the server: data, clock, tasks, certificates, checks."""
