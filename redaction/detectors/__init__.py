"""What redaction looks for: one module a family, each rule or name a line of data."""
