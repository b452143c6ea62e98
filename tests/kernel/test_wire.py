"""The codec against frames that no encoder of ours would make."""

import json
import random
import time

import pytest

from practice.kernel import wire
from practice.kernel.wire import ANSWER, Codec, WireError

SLOW_HASH = 2**61 - 1


def codec():
    def pack(value):
        raise WireError(f"not {type(value).__name__}")

    return Codec(pack, {"h": tuple})


def frame(body, blob=b"", size=None):
    """A frame with this JSON text (or value) and blob."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return ANSWER + (len(text) if size is None else size).to_bytes(4, "little") + text + blob


def refused(data):
    started = time.perf_counter()
    with pytest.raises(WireError):
        codec().decode(data)
    assert time.perf_counter() - started < 5


def test_frames_of_the_wrong_length():
    for data in (b"", b"A", b"A\0\0\0", frame([1], size=100), frame([1], size=2), frame([1], b"left over"), frame(b""), frame(b"[1] [2]")):
        refused(data)


def test_texts_that_are_no_json():
    for body in (b"[1", b"nul", b"\xff\xfe", b"[1,]", b'{"t"', b'"\\ud8"', b"[" * 100, b"]" * 100, b"-", b"1e", b"[1}", b"\0"):
        refused(frame(body))


def test_tags_that_are_not_ours():
    for body in (
        {}, {"t": [1], "s": [2]}, {"nothing": 1}, {"t": 5}, {"d": [1, 2]}, {"d": [[1], []]}, {"d": [[[1]], [2]]}, {"d": "ab"}, {"s": [[1]]},
        {"s": "ab"}, {"z": {"t": [[1]]}}, {"i": 5}, {"i": "zz"}, {"c": [1]}, {"c": ["a", "b"]}, {"l": [1, 2, 3, 4, 5]}, {"l": 3},
        {"b": -1}, {"b": 1}, {"b": "x"}, {"B": 2**70}, {"b": True}, {"q": 1}, {"q": -1}, {"q": 1.5}, {"f": "x"}, {"q": 2**62}, {"h": 1},
    ):  # fmt: skip
        refused(frame([body]))


def test_bombs_of_depth():
    for depth in (300, 65_000, 1_000_000):
        refused(frame(b"[" * depth + b"]" * depth))
        refused(frame(b'{"t":[' * depth + b"]}" * depth))
    refused(frame(b'{"z":[' * 65_000 + b"]}" * 65_000))


def test_depth_up_to_the_limit_passes():
    value = 1
    for _ in range(wire.MAX_DEPTH):
        value = {"k": value}
    assert codec().decode(codec().encode(ANSWER, value)) == value
    with pytest.raises(WireError):
        codec().encode(ANSWER, [[value]])


def test_brackets_in_text_are_no_depth():
    value = ["[" * 100_000, '\\"[{' * 1000, "\\", {"{[": '"'}]
    assert codec().decode(codec().encode(ANSWER, value)) == value


def test_bombs_of_count():
    refused(frame(b"[" + b"[]," * 5_000_000 + b"[]]"))
    refused(frame(b"[" + b"0," * 5_000_000 + b"0]"))
    refused(frame({"q": 3_000_000}, bytes(24_000_000)))
    for value in ([0] * 2_000_001, [[0]] * 2_000_001, [None] * 2_000_001):
        with pytest.raises(WireError):
            codec().encode(ANSWER, value)


def test_thousands_of_empty_buffers_are_only_values():
    assert codec().decode(frame([{"b": 0}] * 50_000)) == [b""] * 50_000


def test_buffers_cannot_be_read_twice():
    refused(frame([{"b": 4}, {"b": 4}], b"1234"))


def test_colliding_keys_are_given_up_on(monkeypatch):
    monkeypatch.setattr(wire, "MAX_HASHING", 0.3)
    count = 40_000
    blob = b"".join((at * SLOW_HASH % 2**64).to_bytes(8, "little") for at in range(4))
    keys = [at * SLOW_HASH for at in range(count)]
    assert len(blob) == 32
    refused(frame({"d": [[{"i": hex(key)} for key in keys], [0] * count]}))
    refused(frame({"s": [{"i": hex(key)} for key in keys]}))


def test_many_honest_keys_pass():
    value = {at: at for at in range(200_000)}
    assert codec().decode(codec().encode(ANSWER, value)) == value


def test_dtypes_and_shapes_of_absurd_arrays():
    pytest.importorskip("numpy")
    for dtype in ("|O", "O", "O8", "<f3", "<f99", "<M8[s]", "V8", "<U0", "|S0", "f8,f8", "{'a': 1}", "<f8\0", "", "<", 5, None, ["<f8"], "<f٨"):
        refused(frame({"a": [dtype, [1]]}, bytes(8)))
        refused(frame({"n": dtype}, bytes(8)))
    for shape in ([0, 2**62], [2**62, 0], [2**40, 2**40], [-1], [1.0], ["1"], [True, 8], [1] * 33, "1", None, [2**31, 2]):
        refused(frame({"a": ["<f8", shape]}, bytes(8)))
    refused(frame({"a": ["<f8", [2]]}, bytes(8)))


def test_no_frame_of_random_bytes_does_more_than_be_refused():
    rng = random.Random(3)
    good = codec().encode(ANSWER, [1, {"a": (1, 2.5, b"xyz")}, {3}, "text", 2**80, [0.5] * 40])
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        try:
            codec().decode(bytes(data))
        except WireError:
            pass


def test_a_failed_frame_leaves_the_codec_usable():
    both = codec()
    with pytest.raises(WireError):
        both.encode(ANSWER, [b"x" * 100, object()])
    with pytest.raises(WireError):
        both.decode(frame([{"b": 4}], b"1"))
    assert both.decode(both.encode(ANSWER, [b"y", 1])) == [b"y", 1]


def test_equal_sets_make_equal_frames():
    one, other = {f"k{at}" for at in range(50)}, {f"k{at}" for at in reversed(range(50))}
    assert codec().encode(ANSWER, one) == codec().encode(ANSWER, other)


def test_frames_travel_through_a_pipe_in_pieces():
    sent = []
    big = codec().encode(ANSWER, b"x" * 500_000)
    for data in (frame([1]), big):
        wire.write_frame(sent.append, data)
    stream, rng = b"".join(sent), random.Random(1)

    def read(size, rest=bytearray(stream)):
        part = bytes(rest[: min(size, rng.randrange(1, 70_000))])
        del rest[: len(part)]
        return part

    assert wire.read_frame(read) == frame([1])
    assert wire.read_frame(read) == big
    assert wire.read_frame(read) is None


@pytest.mark.parametrize("stream", [b"\1", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\4\0\0\0abcd", b"\x10\0\0\0abc", b"\1\0\0\4" + b"x" * 100])
def test_a_stream_that_lies_about_its_length_is_refused_early(stream):
    asked = []

    def read(size, rest=bytearray(stream)):
        asked.append(size)
        part = bytes(rest[:size])
        del rest[:size]
        return part

    with pytest.raises(WireError):
        wire.read_frame(read)
    assert max(asked) <= 2**18


def test_kinds_of_frames():
    assert wire.kind_of(frame([1])) == ANSWER
    for data in (b"", b"X123", b"\0"):
        with pytest.raises(WireError):
            wire.kind_of(data)
