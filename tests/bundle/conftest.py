"""The browser's Python under Node, started once."""

import pytest

from practice.bundle.node_judge import NodeJudge
from practice.kernel.errors import PracticeError


def start(root, **options):
    try:
        return NodeJudge(root, **options)
    except PracticeError as error:
        pytest.skip(f"no Pyodide under Node here: {error.message}")


@pytest.fixture(scope="session")
def pyodide(root):
    with start(root) as judge:
        yield judge


@pytest.fixture(scope="session")
def pyodide_numpy(root):
    with start(root, numpy=True) as judge:
        yield judge
