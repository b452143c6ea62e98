"""The short name `sim` for practice.sim: the same module objects, so every class exists once."""

import importlib
import sys
from importlib.machinery import ModuleSpec


class _ShortName:
    """A finder and loader that answers `import sim.x` with the module practice.sim.x, not with a second copy of its file.

    Without the base classes of importlib.abc, whose import takes longer than that of the whole simulator.
    """

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("sim."):
            return None
        module = importlib.import_module(f"practice.{name}")
        return ModuleSpec(name, self, loader_state=module.__spec__, is_package=hasattr(module, "__path__"))

    def create_module(self, spec):
        return sys.modules[f"practice.{spec.name}"]

    def exec_module(self, module):
        # The import machinery has just put the short name's spec on the module: give it its own back.
        module.__spec__ = module.__spec__.loader_state


if not any(isinstance(finder, _ShortName) for finder in sys.meta_path):
    sys.meta_path.insert(0, _ShortName())
sys.modules[__name__] = importlib.import_module("practice.sim")
