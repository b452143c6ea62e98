"""Rows of our own, of the kinds that the specification names but does not list."""

from tests.runner.hostile.row import GOOD, row

RAW = """
import os
def frame(text, blob=b''):
    body = b'A' + len(text).to_bytes(4, 'little') + text + blob
    return len(body).to_bytes(4, 'little') + body
def running(numbers):
    send(frame)
    return [1, 3, 6]
def send(frame):
"""
"""Writes an answer of its own to the answer pipe, before the true one."""

ROWS = [
    # the decoder
    row("decoder: 65,000 nested lists", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",' + b'[' * 65000 + b']' * 65000 + b']'))\n", good=False),
    row("decoder: 65,000 nested tags", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",' + b'{\"t\":[' * 65000 + b']}' * 65000 + b']'))\n", good=False),
    row("decoder: thousands of empty buffers", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",[' + b','.join([b'{\"b\":0}'] * 50000) + b']]'))\n", good=False),
    row("decoder: array of objects", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",{\"a\":[\"|O\",[1]]}]', b'\\0' * 8))\n", good=False),
    row("decoder: structured dtype", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",{\"a\":[\"V8\",[1]]}]', b'\\0' * 8))\n", good=False),
    row("decoder: zero-size shape with huge dimensions", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",{\"a\":[\"<f8\",[0,4611686018427387904]]}]'))\n", good=False),
    row("decoder: negative dimension", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",{\"a\":[\"<f8\",[-1]]}]', b'\\0' * 8))\n", good=False),
    row("decoder: a million colliding keys", "WA TL RE", RAW + "    keys = b','.join(b'%d' % (n * (2**61 - 1) % 2**62) for n in range(200000))\n    data = frame(b'[\"v\",{\"d\":[[' + keys + b'],[' + keys + b']]}]')\n    while data: data = data[os.write(4, data):]\n", good=False),
    row("decoder: frame promised, never sent", "TL", "import os, time\ndef running(numbers):\n    os.write(4, (60 << 20).to_bytes(4, 'little'))\n    time.sleep(60)\n"),
    row("decoder: a frame one byte at a time", "TL OL", "import os, time\ndef running(numbers):\n    os.write(4, (60 << 20).to_bytes(4, 'little'))\n    while True: os.write(4, b'A')\n"),
    row("decoder: unknown kind of frame", "RE WA", "import os\ndef running(numbers):\n    os.write(4, b'\\x07\\0\\0\\0Z\\x02\\0\\0\\0[]')\n    return [0]\n"),
    row("decoder: unknown tag", "RE WA", RAW + "    os.write(4, frame(b'[\"v\",{\"pickle\":\"cos\"}]'))\n", good=False),
    row("decoder: huge integer text", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",' + b'9' * 60000 + b']'))\n", good=False),
    row("decoder: handle to an object that is not there", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",{\"h\":[999999,999999,\"x\",\"\"]}]'))\n", good=False),
    row("decoder: exception described without end", "WA RE", RAW + "    os.write(4, frame(b'[\"e\",[1,\"A\",[[2,\"B\",[[3,\"C\",[]]]]]],\"x\",[],0,null]'))\n", good=False),
    row("decoder: garbage instead of an answer", "WA RE", "import os\ndef running(numbers):\n    os.write(4, os.urandom(60000))\n    return [0]\n"),
    row("callbacks to functions that do not exist, for ever", "TL RE WA", "import os\ndef running(numbers):\n    body = b'C\\x08\\0\\0\\0[9,[],0]'\n    while True: os.write(4, len(body).to_bytes(4, 'little') + body)\n"),
    # forged answers: the judge decides, whatever is claimed
    row("forged answer with a verdict in it", "WA RE", RAW + "    os.write(4, frame(b'[\"v\",{\"d\":[[\"status\"],[\"accepted\"]]}]'))\n", good=False),
    row("forged right answer is only an answer", "AC WA RE", RAW + "    os.write(4, frame(b'[\"v\",[1,3,6]]'))\n", good=False),
    row("answers in advance", "WA RE", RAW + "    for _ in range(50): os.write(4, frame(b'[\"v\",[0]]'))\n", good=False),
    row("callbacks that cost the judge a second each", "TL", "import os\ndef running(numbers):\n    text = b'[9,[' + b','.join([b'{\"t\":[]}'] * 400000) + b'],null]'\n    body = b'C' + len(text).to_bytes(4, 'little') + text\n    while True:\n        data = memoryview(len(body).to_bytes(4, 'little') + body)\n        while data: data = data[os.write(4, data):]\n        os.read(3, 65536)\n"),
    row("a class with 100,000 bases", "WA RE TL", RAW + "    bases = b','.join(b'[%d,\"B\",[\"Exception\"]]' % n for n in range(2, 100000))\n    data = frame(b'[\"e\",[1,\"A\",[' + bases + b']],\"said\",[],0,null]')\n    while data: data = data[os.write(4, data):]\n", good=False),
    row("an entry that is an exception class", "WA RE", "class running(Exception):\n    def __iter__(self): return iter([1, 3, 6])\n", good=False),
    # hooks
    row("trace function that loops", "TL RE CE", "import sys\ndef trace(*a):\n    while True: pass\nsys.settrace(trace)\n"),
    row("trace function that raises", "AC RE", "import sys\ndef trace(*a): raise SystemExit\ndef running(numbers):\n    sys.settrace(trace)\n    sys.setprofile(trace)\n    return other(numbers)\ndef other(numbers): return numbers\n"),
    row("audit hook that ends the process", "RE", "import os, sys\nsys.addaudithook(lambda event, args: os._exit(0) if event == 'compile' else None)\ndef running(numbers):\n    compile('1', 'x', 'eval')\n"),
    row("monitoring that raises", "AC RE WA CE", "import sys\nif hasattr(sys, 'monitoring'):\n    sys.monitoring.use_tool_id(3, 'x')\n    sys.monitoring.register_callback(3, sys.monitoring.events.PY_START, lambda *a: 1 / 0)\n    sys.monitoring.set_events(3, sys.monitoring.events.PY_START)\n"),
    row("import hook that answers for everything", "AC RE", "import sys\nclass Finder:\n    def find_spec(self, *a): raise SystemExit\nsys.meta_path.insert(0, Finder())\n"),
    row("excepthook and displayhook", "RE", "import sys\nsys.excepthook = sys.unraisablehook = lambda *a: print('accepted')\ndef running(numbers):\n    raise ValueError\n"),
    # leaving late
    row("hang in thread shutdown at exit", "AC", "import atexit, threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\natexit.register(time.sleep, 60)\n"),
    row("exit in a background thread later", "RE AC", "import os, threading\nthreading.Timer(0.05, os._exit, (0,)).start()\n"),
    row("destructor that loops", "AC WA TL", "class Bad:\n    def __del__(self):\n        while True: pass\nheld = Bad()\n"),
    row("fatal error by the interpreter", "RE", "import ctypes\ndef running(numbers):\n    ctypes.pythonapi.Py_FatalError(b'bye')\n"),
    row("closes every file and goes on", "RE", "import os\ndef running(numbers):\n    os.closerange(0, 64)\n    return [1, 3, 6]\n"),
    row("stops itself", "RE TL", "import os, signal\ndef running(numbers):\n    os.kill(os.getpid(), signal.SIGSTOP)\n"),
    row("ignores every signal and loops", "TL", "import signal\ndef running(numbers):\n    for number in range(1, 65):\n        try: signal.signal(number, signal.SIG_IGN)\n        except (OSError, ValueError): pass\n    while True: pass\n"),
    row("busy in many threads", "TL", "import threading\ndef spin():\n    while True: pass\ndef running(numbers):\n    for _ in range(8): threading.Thread(target=spin, daemon=True).start()\n    spin()\n"),
    # the kernel
    row("io_uring", "WA RE", "import ctypes\ndef running(numbers):\n    room = ctypes.create_string_buffer(256)\n    return [ctypes.CDLL(None).syscall(425, 8, room)]\n", "seccomp"),
    row("memfd and exec of it", "RE", "import os\ndef running(numbers):\n    file = os.memfd_create('x')\n    os.write(file, b'#!/bin/sh\\ntouch {outside}/ran')\n    os.execve(file, ['x'], {})\n", "seccomp"),
    row("exec of a shell", "RE", "import os\ndef running(numbers):\n    os.execv('/bin/sh', ['sh', '-c', 'touch {outside}/ran'])\n", "seccomp"),
    row("posix_spawn", "RE", "import os\ndef running(numbers):\n    os.posix_spawn('/bin/sh', ['sh', '-c', 'touch {outside}/ran'], {})\n", "seccomp"),
    row("multiprocessing", "RE", "import multiprocessing\ndef running(numbers):\n    with multiprocessing.get_context('spawn').Pool(2) as pool: return pool.map(abs, numbers)\n", "seccomp"),
    row("bare clone by system call", "WA RE", "import ctypes\ndef running(numbers):\n    return [ctypes.CDLL(None).syscall(56, 17, 0, 0, 0, 0) > 0]\n", "seccomp"),
    row("own user namespace", "WA RE", "import ctypes\ndef running(numbers):\n    return [ctypes.CDLL(None).unshare(0x10000000)]\n", "seccomp"),
    row("shared memory segment", "WA RE", "import ctypes\ndef running(numbers):\n    return [ctypes.CDLL(None).shmget(0, 4096, 0o1666)]\n", "seccomp"),
    row("signals by F_SETOWN", "RE", "import fcntl, os\ndef running(numbers):\n    reader, writer = os.pipe()\n    fcntl.fcntl(reader, fcntl.F_SETOWN, {judge})\n    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)\n    os.write(writer, b'x')\n", "seccomp"),
    row("datagram to an abstract socket by a socket pair", "RE", "import socket\ndef running(numbers):\n    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n    one.sendto(b'x', '\\0{abstract}-datagrams')\n", "seccomp"),
    row("thousands of threads with small stacks", "RE TL ML", "import threading, time\ndef running(numbers):\n    threading.stack_size(32768)\n    while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n", "uid"),
    row("thousands of files", "RE", "import os\ndef running(numbers):\n    return [os.pipe() for _ in range(10000)]\n", "limits"),
    row("follows a symlink out", "WA", "def running(numbers):\n    try: return open('{outside}/link').read()\n    except OSError: return 'nothing'\n", "landlock"),
    row("changes modes of files outside", "RE", "import os\ndef running(numbers):\n    os.chmod('{outside}/secret', 0o777)\n", "seccomp"),
    # the world it finds
    row("changes the clock it sees", "TL", "import time\ntime.monotonic = time.perf_counter = time.time = time.process_time = lambda: 0.0\ndef running(numbers):\n    while True: pass\n"),
    row("environment of the judge", "WA", "import os\ndef running(numbers):\n    return [os.environ.get('HOSTILE_CANARY', os.environ.get('HOME', 0))]\n"),
    row("command line of the fork server", "AC", "import sys\nif any('/' in word for word in sys.argv + sys.orig_argv): raise SystemError('the judge tells where it lies')\n"),
    row("environment of the judge by /proc", "WA", "import os\ndef running(numbers):\n    for pid in ('self', {judge}, os.getppid()):\n        try: return open(f'/proc/{pid}/environ').read()\n        except OSError: pass\n", "landlock"),
    row("memory of the judge by /proc", "WA", "def running(numbers):\n    try:\n        open('/proc/{judge}/mem', 'rb')\n        return [1, 3, 6]\n    except OSError: return 'nothing'\n", "landlock"),
    row("makes numpy.py and json.py beside itself", "RE", "def running(numbers):\n    for name in ('numpy.py', 'json.py'): open(name, 'w').write('raise SystemExit')\n", "landlock"),
    row("behaves differently when it thinks it is tested", "WA", "import sys\nTESTED = 'pytest' in sys.modules or len(sys.argv) > 1\ninner = running\ndef running(numbers):\n    return inner(numbers) if TESTED else [0]\n"),
    row("other answers from the second call on", "WA RE", "calls = []\ninner = running\ndef running(numbers):\n    calls.append(1)\n    return inner(numbers) if len(calls) < 2 else None\n"),
    row("remembers over checks", "AC", "import builtins, sys\nif hasattr(builtins, 'seen') or 'seen' in sys.modules: raise SystemError('state leaks')\nbuiltins.seen = sys.modules['seen'] = True\n"),
    row("very long docstring", "AC", GOOD.replace("numbers):", "numbers):\n    '''" + "long " * 200_000 + "'''", 1), good=False),
    row("very long line", "AC CE", "x = [" + "1, " * 20_000 + "]\n"),
    row("very long expression", "AC CE RE", "x = " + "1 + " * 50_000 + "1\n"),
    row("very deep source", "CE RE", "x = " + "(" * 5000 + ")" * 5000 + "\n"),
    row("terminal escapes in a message", "RE", "def running(numbers):\n    raise ValueError('\\x1b[2J\\x1b]0;owned\\x07' + 'x' * 10**6)\n"),
    row("terminal escapes in output", "WA", "def running(numbers):\n    print('\\x1b[2J\\x1b]52;c;b3duZWQ=\\x07' * 10)\n    return [0]\n"),
    row("invalid UTF-8 in output", "WA", "import os\ndef running(numbers):\n    os.write(1, bytes(range(256)))\n    return [0]\n"),
    row("int of 5,000 digits", "WA", "def running(numbers):\n    return 10**5000\n"),
    row("right answers in a lying class", "WA", "class Lie(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n    def __index__(self): return 6\ndef running(numbers):\n    return [Lie(0)] * len(numbers)\n"),
    row("infinite iterator of its own", "WA TL RE ML", "class Endless:\n    def __iter__(self): return self\n    def __next__(self): return 1\n    def __len__(self): return 3\n    def __getitem__(self, key): return 1\ndef running(numbers):\n    return Endless()\n"),
    row("mutates the judge's list for ever", "TL ML RE", "def running(numbers):\n    while True: numbers.append(0)\n"),
    row("returns the argument it was given", "WA", "def running(numbers):\n    return numbers\n"),
    row("module replaced by an object", "AC WA RE CE", "import sys\nclass Odd:\n    def __getattr__(self, name): raise SystemExit\nsys.modules[__name__] = Odd()\n"),
    row("entry is a class that lies", "WA RE", "class running:\n    def __new__(cls, numbers): return object.__new__(cls)\n    def __getattribute__(self, name): raise KeyboardInterrupt\n", good=False),
    row("exception class with hostile bases", "RE WA", "class Meta(type):\n    @property\n    def __name__(cls): raise SystemExit\n    @property\n    def __bases__(cls): return 1 / 0\nclass Bad(Exception, metaclass=Meta): pass\ndef running(numbers):\n    raise Bad\n"),
    row("exception group without end", "RE TL", "def running(numbers):\n    error = ValueError()\n    for _ in range(10000): error = ExceptionGroup('g', [error])\n    raise error\n"),
    row("exception chain in a circle", "RE", "def running(numbers):\n    one, two = ValueError('one'), ValueError('two')\n    one.__cause__, two.__cause__ = two, one\n    raise one\n"),
    row("async function that never ends", "TL RE", "import asyncio\nasync def running(numbers):\n    await asyncio.Event().wait()\n", good=False),
]  # fmt: skip
