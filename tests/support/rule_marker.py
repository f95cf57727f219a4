"""The marker that names the rules a test is a ruling on: `@rule("DIS-1", "DIS-2")`."""

import pytest

rule = pytest.mark.rule
