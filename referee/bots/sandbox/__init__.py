"""What a bot can use and see while it runs: limits, bubblewrap, seccomp and cgroups."""
