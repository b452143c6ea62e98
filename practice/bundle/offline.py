"""The service worker of a built site: it knows every file's hash, so a reader never gets a mixture of two versions."""

import hashlib
import json
import re
from pathlib import Path

NAME = "sw.js"
HASHED = re.compile(r"(\.[0-9a-f]{12}\.\w+|-[0-9a-f]{10}\.js)$|^static/[0-9a-f]{10}/")
"""Names that change with their content: such a file is never stale."""
KEPT = ("index.html", "404.html", "offline.html")
"""Pages kept from the start: what is shown in the place of others must be there before it is needed."""
NOT_SERVED = (".br", ".gz")


def write_service_worker(site: Path) -> None:
    """Writes sw.js into the folder of a finished site. The same site gives the same bytes."""
    (site / NAME).write_bytes(service_worker(site))


def service_worker(site: Path) -> bytes:
    pages, files = {}, []
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if not path.is_file() or name == NAME or name.startswith(".") or path.suffix in NOT_SERVED:
            continue
        if HASHED.search(name):
            files.append(name)
        else:
            pages[name] = _digest(path.read_bytes())
    core = [name for name in files if name.startswith("static/") and "/vendor/" not in name and name.endswith((".css", ".js", ".svg"))]
    build = {"pages": pages, "files": files, "core": [*core, *(name for name in KEPT if name in pages)]}
    build["version"] = _digest(json.dumps(build, sort_keys=True).encode())
    script = Path(__file__).with_name("service_worker.js").read_text(encoding="utf-8")
    return script.replace("const BUILD = null;", f"const BUILD = {json.dumps(build, separators=(',', ':'))};").encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
