"""The one door for the web worker: text in, text out, and never an exception."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from practice.kernel.backend import Backend
from practice.kernel.errors import PracticeError
from practice.kernel.exercise import Exercise, KnownWrong, Limits
from practice.kernel.judging import judge
from practice.kernel.loopback import LoopbackBackend
from practice.kernel.verdict import to_json

FORMAT = 1


def judge_json(text: str, backend: Backend | None = None, on_result=None) -> str:
    """Judge one request and give the verdict's JSON, or {"format": 1, "error": {"message", "hint"}} for what is no request.

    Request: {"format": 1, "exercise": {...}, "submission": "...", "seed": null, "only": [], "examples_only": false};
    all after `submission` may be left out. Lone surrogates in the answer are escaped, so that any reader takes it.
    on_result: called with each check's result as JSON text.
    """
    try:
        return _dump(_judged(_request(text), backend or LoopbackBackend(), on_result))
    except PracticeError as error:
        return _dump({"format": FORMAT, "error": {"message": error.message, "hint": error.hint}})
    except Exception as error:
        message = f"the judge failed: {type(error).__name__}: {error}"
        return _dump({"format": FORMAT, "error": {"message": message, "hint": "please report this; it is not your fault"}})


def exercise_to_json(exercise: Exercise) -> dict[str, Any]:
    """An exercise as plain JSON values."""
    return asdict(exercise)


def exercise_from_json(data: Mapping[str, Any]) -> Exercise:
    """The exercise that `exercise_to_json` wrote. Raises PracticeError when a field is missing or unknown."""
    try:
        fields = dict(data)
        for name in ("entry", "hints", "requires", "needs", "sources"):
            if name in fields:
                fields[name] = tuple(fields[name])
        fields["limits"] = Limits(**fields.get("limits", {}))
        fields["wrong"] = tuple(KnownWrong(**wrong) for wrong in fields.get("wrong", ()))
        return Exercise(**fields)
    except (TypeError, ValueError, AttributeError) as error:
        raise PracticeError(f"not an exercise: {error}") from None


def _request(text: str) -> dict[str, Any]:
    try:
        request = json.loads(text)
    except ValueError as error:
        raise PracticeError(f"the request is not JSON: {error}") from None
    if not isinstance(request, dict) or request.get("format") != FORMAT:
        raise PracticeError(f"the request must be an object with \"format\": {FORMAT}")
    if "exercise" not in request or not isinstance(request.get("submission"), str):
        raise PracticeError("the request must have an exercise, and a submission as text")
    return request


def _judged(request: dict[str, Any], backend: Backend, on_result) -> dict[str, Any]:
    verdict = judge(
        exercise_from_json(request["exercise"]),
        request["submission"],
        backend,
        seed=request.get("seed"),
        only=tuple(request.get("only") or ()),
        examples_only=bool(request.get("examples_only")),
        on_result=(lambda result: on_result(_dump(asdict(result)))) if on_result else None,
    )
    return to_json(verdict)


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=True)
