"""Learns the networks in referee/thinking/values from games that the planner plays with itself."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # every core has a process of its own
