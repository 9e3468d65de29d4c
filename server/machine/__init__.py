"""These modules look after the machine under the server: data, clock, tasks, certificates, checks."""
