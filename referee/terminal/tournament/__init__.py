"""What `referee tournament`, `standings` and `faults` show."""
