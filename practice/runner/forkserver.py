"""The fork server: a clean interpreter with the allowed modules loaded, and a fresh process for every check.

Run as `python -I -S forkserver.py CHANNEL ROOT REQUIRES PACKAGES`: the number of the inherited channel, the folder of
practice/, the required modules by comma, the judge's sys.path by os.pathsep. It never sees a submission: a child reads
it from its own pipe. Orders (see channel.py):

    {"do": "fork", "seconds", "memory", "warm"} with three files    {"pid"}
    {"do": "end", "pid", "grace"}                                   {"status", "seconds", "memory", "killed"}
"""

import gc
import os
import signal
import sys
import time

RULES = 5
"""Where child.py expects the descriptor of the Landlock rules."""


def main() -> None:
    channel_number, root, requires, packages = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    sys.path.insert(0, root)
    from practice.runner import channel, child, harden, library

    sys.path.remove(root)
    os.chdir("/")
    names = [name for name in requires.split(",") if name]
    orders = channel.adopt(channel_number)
    try:
        library.load_required(names, root, packages.split(os.pathsep))
        plan = harden.choose_plan(names, root)
        _be_alone()
        orders.send({"level": plan.level, "layers": plan.layers, "missing": plan.missing})
        child.rehearse()
        gc.collect()
        gc.freeze()
        _Keeper(_runner(plan, child.run, harden.put_on), library.warm).keep(orders)
    except channel.ChannelClosed:
        pass
    except Exception as error:
        orders.send({"error": f"{type(error).__name__}: {error}"})


def _be_alone() -> None:
    """Out of the terminal's session; children of ended children come to us, and nobody may trace us."""
    from practice.runner.syscall import prctl

    os.setsid()
    if sys.platform == "linux":
        prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
        prctl(4, 0)  # PR_SET_DUMPABLE


def _runner(plan, run, put_on):
    """What a child does after the fork: run(seconds, memory, files)."""

    def start(seconds: float, memory: int, files: list[int]) -> None:
        if plan.rules is not None:
            files = [*files, plan.rules]
            plan.rules = RULES  # its number in the child
        run(tuple(files), lambda: put_on(plan, seconds, memory))

    return start


class _Keeper:
    """The children that live, and what is done with them."""

    def __init__(self, run, warm) -> None:
        self._run = run
        self._warm = warm
        self._children: set[int] = set()

    def keep(self, orders) -> None:
        """Follow orders until the judge is gone; then end all children."""
        try:
            while True:
                order, files = orders.receive()
                if order["do"] == "fork":
                    orders.send(self._fork(order, files))
                else:
                    orders.send(self._end(order["pid"], order["grace"]))
        finally:
            for pid in tuple(self._children):
                self._end(pid, 0.0)

    def _fork(self, order: dict, files: list[int]) -> dict:
        self._warm(order["warm"])
        pid = os.fork()
        if pid == 0:
            self._run(order["seconds"], order["memory"], files)
        for file in files:
            os.close(file)
        self._children.add(pid)
        return {"pid": pid}

    def _end(self, pid: int, grace: float) -> dict:
        """How the child ended: by itself within `grace` seconds, or now."""
        self._children.discard(pid)
        by_itself = _wait(pid, grace)
        if by_itself is None:
            _kill(pid)
        _, status, usage = by_itself or os.wait4(pid, 0)
        _sweep(self._children)
        unit = 1 if sys.platform == "darwin" else 1024
        seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit
        return {"status": status, "seconds": seconds, "memory": memory, "killed": by_itself is None}


def _wait(pid: int, grace: float):
    until = time.monotonic() + grace
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return done, status, usage
        if time.monotonic() >= until:
            return None
        time.sleep(0.0005)


def _kill(pid: int) -> None:
    """End a child and its session. It has not been waited for, so its number is still its own."""
    for kill in (os.kill, os.killpg):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def _sweep(keep: set[int]) -> None:
    """End what a submission started and left: without seccomp it may have forked, and orphans become our children."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", "rb") as file:
            orphans = {int(pid) for pid in file.read().split()} - keep
    except OSError:
        return
    for pid in orphans:
        _kill(pid)
        os.waitpid(pid, 0)
    if orphans:
        _sweep(keep)


if __name__ == "__main__":
    main()
    os._exit(0)  # the judge waits for our end, and there is nothing to tidy up
