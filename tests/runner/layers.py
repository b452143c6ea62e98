"""Run by test_harden.py as `python -I -S layers.py ROOT FOLDER`: puts on each layer alone, and all, and says what still works.

Prints JSON: {"plan": {...}, "plain": [modules], "layers": {name: {"imports": [modules], "acts": {act: what came}}}}.
"""

import importlib
import json
import os
import sys

LEFT_OUT = ("antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter", "test", "lib2to3", "pydoc_data", "_tkinter")
"""Modules that print, open windows or browsers, or are folders of tests."""


def main() -> None:
    root = sys.argv[1]
    sys.path.insert(0, root)
    from practice.runner import harden, seccomp

    sys.path.remove(root)
    full = harden.choose_plan((), root)
    kept = full.keep if full.rules is not None else 0
    plans = {
        "limits": harden.Plan(None, b"", None, 0, []),
        "landlock": harden.Plan(full.rules, b"", None, 0, []),
        # As it is put on without Landlock: one that leaves writing to Landlock would let a file be made and not be removed.
        "seccomp": harden.Plan(None, full.filter and seccomp.program(may_write=False), None, 0, []),
        "uid": harden.Plan(full.rules if kept else None, b"", full.uid, kept, []),
        "all": full,
    }
    layers = {name: in_child(lambda plan=plan: under(harden, plan)) for name, plan in plans.items()}
    plan = {"level": full.level, "layers": full.layers, "missing": full.missing}
    print(json.dumps({"plan": plan, "plain": in_child(importable), "layers": layers}))


def under(harden, plan) -> dict:
    harden.put_on(plan, 20.0, 2**30)
    return {"acts": {act.__name__: tried(act) for act in ACTS}, "imports": importable()}


def importable() -> list[str]:
    """The modules of the standard library that can be imported, none of them loaded before the layers were on."""
    found = []
    for name in sorted(sys.stdlib_module_names):
        if name not in LEFT_OUT and not name.startswith("__"):
            try:
                importlib.import_module(name)
            except Exception:  # `_pyrepl` and its kin ask for more than a module should
                continue
            found.append(name)
    return found


def tried(act) -> str:
    try:
        return f"worked: {act()}"
    except Exception as error:
        return type(error).__name__


def event_loop():
    import asyncio

    async def main():
        await asyncio.sleep(0)
        return await asyncio.to_thread(lambda: "ran")

    return asyncio.run(main())


def pool_of_threads():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(abs, range(-8, 0)))


def time_zone():
    import datetime
    import zoneinfo

    return datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("UTC")).isoformat()


def random_bytes():
    import secrets

    return len(secrets.token_bytes(8))


def dev_null():
    with open(os.devnull, "w") as file:
        return file.write("x")


def name_of_thread():
    import threading

    thread = threading.Thread(target=lambda: None, name="named")
    thread.start()
    thread.join()
    return thread.name


def read_passwd():
    with open("/etc/passwd") as file:
        return bool(file.read())


def write_file():
    with open(os.path.join(sys.argv[2], "written"), "w") as file:
        return file.write("x")


def fork():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def udp_socket():
    import socket

    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    return "made"


def raise_limit():
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (-1, -1))
    return "raised"


ACTS = (
    event_loop, pool_of_threads, time_zone, random_bytes, dev_null, name_of_thread,
    read_passwd, write_file, fork, udp_socket, raise_limit,
)  # fmt: skip


def in_child(act):
    """What `act` gives in a process of its own, or how it ended, as words."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            said = json.dumps(act())
        except BaseException as error:
            said = json.dumps(f"{type(error).__name__}: {error}")
        with os.fdopen(writer, "w") as out:
            out.write(said)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        text = said.read()
    status = os.waitpid(pid, 0)[1]
    return json.loads(text) if text else f"ended with status {status}"


if __name__ == "__main__":
    main()
