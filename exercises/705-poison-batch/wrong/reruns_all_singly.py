def run_all(requests, run):
    if not requests:
        return {"answers": {}, "poison": []}
    try:
        return {"answers": dict(zip(requests, run(requests))), "poison": []}
    except RuntimeError:
        pass
    if len(requests) == 1:
        return {"answers": {}, "poison": list(requests)}
    answers, poison = {}, []
    for request in requests:
        try:
            answers[request] = run([request])[0]
        except RuntimeError:
            poison.append(request)
    return {"answers": answers, "poison": poison}
