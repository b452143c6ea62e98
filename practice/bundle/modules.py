"""Which modules of the standard library the browser gets: what a submission may sensibly import, and what those need."""

WANTED = tuple(
    """
    abc array ast asyncio atexit base64 binascii bisect builtins calendar cmath code codecs codeop collections collections.abc
    concurrent.futures contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis enum errno fnmatch
    fractions functools gc glob graphlib gzip hashlib heapq hmac importlib importlib.abc importlib.machinery
    importlib.util inspect io ipaddress itertools json keyword linecache locale logging math numbers opcode operator os os.path
    pathlib pickle platform pprint queue random re reprlib sched secrets select selectors shlex shutil signal
    socket stat statistics string struct subprocess sys tempfile textwrap threading time timeit
    token tokenize tomllib traceback types typing unicodedata unittest urllib.parse uuid warnings weakref zipfile zlib
    """.split()
)
"""Each of these imports in the browser as it does in the shell; tests/bundle/test_modules.py imports every one."""

INSIDE = tuple(
    """
    _pyodide.* pyodide.* sysconfig _sysconfigdata__emscripten_wasm32-emscripten
    encodings.aliases encodings.ascii encodings.cp437 encodings.latin_1 encodings.raw_unicode_escape
    encodings.unicode_escape encodings.utf_16 encodings.utf_16_le encodings.utf_16_be encodings.utf_32 encodings.utf_7 encodings.utf_8
    encodings.utf_8_sig
    """.split()
)
"""What Pyodide itself imports (some of it by name from C), and text encodings, which are looked up by name."""

LATE = tuple(
    """
    _strptime _weakrefset _py_abc _compression _threading_local concurrent.futures.thread tempfile
    json.tool importlib.readers importlib.resources.readers importlib.resources.simple zipfile._path.glob urllib.response bz2 csv numbers unittest.async_case asyncio.taskgroups
    """.split()
)
"""Imported by functions of the wanted modules and not at their top, so that reading their imports does not find them."""

DROPPED = tuple(
    """
    tarfile doctest pdb bdb pydoc pydoc_data test idlelib lib2to3 ensurepip venv turtle tkinter curses multiprocessing
    asyncio.windows_events asyncio.windows_utils asyncio.proactor_events concurrent.futures.process
    importlib._bootstrap importlib._bootstrap_external importlib.metadata
    zipimport _pydatetime _pydecimal _pyio urllib.request http.client http.server http.cookiejar xmlrpc email.headerregistry
    email._header_value_parser ssl bz2 lzma _aix_support _osx_support _bootsubprocess pyodide.console
    """.split()
)
"""Found by their imports, but never reached in a browser: other systems, debuggers, networks, and twins of C modules."""
