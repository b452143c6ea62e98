"""Hidden checks of exercise 421: verify drafts by rejection sampling."""

import numpy as np

from practice.kernel.expect import expect_close, expect_equal, fail
from practice.kernel.scenario import scenario


def round_of(sub, draft, target, tokens, accept_u, sample_u):
    return sub.verify(np.array(draft, dtype=float), np.array(target, dtype=float), list(tokens), list(accept_u), sample_u)


def check_example_worked(sub):
    """The worked example of the prompt"""
    expect_equal(
        round_of(sub, [[0.5, 0.5, 0.0]], [[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], [0], [0.9], 0.8), [2],
        "0.45 is not below 0.2, so the draft is rejected (it is kept with probability target over draft), and only token 2 has a gap",
    )


def check_bonus_row(sub):
    """All drafts accepted"""
    target = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    expect_equal(
        round_of(sub, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], target, [0, 1], [0.5, 0.5], 0.3), [0, 1, 2],
        "when all are accepted one more token is sampled, from row k of the target",
    )


def check_acceptance(sub):
    """When a draft is kept"""
    target = [[0.2, 0.8], [0.0, 1.0]]
    for u, kept in ((0.0, True), (0.39, True), (0.41, False), (0.99, False)):
        got = round_of(sub, [[0.5, 0.5]], target, [0], [u], 0.0)
        expect_equal(got[0] == 0 and len(got) == 2, kept, f"u = {u}: a draft is kept with probability target over draft, 0.2 / 0.5 = 0.4")
    expect_equal(round_of(sub, [[0.1, 0.9]], [[0.5, 0.5], [0.0, 1.0]], [0], [0.999], 0.0), [0, 1], "target over draft is above 1: always kept")
    expect_equal(round_of(sub, [[0.4, 0.6]], [[0.0, 1.0], [1.0, 0.0]], [0], [0.0], 0.9), [1], "a token of target probability 0 is never kept, not even with u = 0")


def check_residual(sub):
    """What replaces a rejected draft"""
    draft, target = [[0.6, 0.3, 0.1, 0.0]], [[0.1, 0.4, 0.2, 0.3], [1.0, 0.0, 0.0, 0.0]]
    # Gaps: 0, 0.1, 0.1, 0.3; running sums of 0.5: 0, 0.2, 0.4, 1.0.
    for u, token in ((0.0, 1), (0.19, 1), (0.21, 2), (0.41, 3), (0.99, 3)):
        expect_equal(
            round_of(sub, draft, target, [0], [0.9], u), [token],
            "the replacement fills the gaps: for each token max(0, target - draft), what the draft has too little of",
        )


def check_stops_at_rejection(sub):
    """Good drafts behind a bad one"""
    draft = [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    target = [[0.5, 0.5], [0.1, 0.9], [0.5, 0.5], [0.5, 0.5]]
    expect_equal(
        round_of(sub, draft, target, [0, 0, 0], [0.5, 0.9, 0.1], 0.7), [0, 1],
        "drafts behind a rejected one were made for another text: they go, however good they look",
    )


def check_plain_ints(sub):
    """What the list holds, and what the arrays hold afterwards"""
    draft, target = np.array([[0.6, 0.4]]), np.array([[0.1, 0.9], [0.5, 0.5]])
    before = draft.copy(), target.copy()
    got = sub.verify(draft, target, [0], [0.9], 0.5)
    expect_equal(got, [1], "token 0 has too much, so token 1 replaces it")
    expect_close((draft, target), before, "the arrays belong to the caller and are not changed")


@scenario
def tally(submission, draft, target, steps, grid):
    """How often each pair of first two tokens comes out, over all drafts and an even grid of u."""
    import numpy as np

    vocab = len(target[0])
    counts = np.zeros((vocab, vocab))
    middles = [(j + 0.5) / grid for j in range(grid)]
    for first in range(vocab):
        for second in range(vocab):
            weight = draft[0][first] * draft[1][second] / (grid * grid * steps)
            if weight == 0:
                continue
            for a in middles:
                for b in middles:
                    for s in range(steps):
                        tokens = submission.verify(draft.copy(), target.copy(), [first, second], [a, b], (s + 0.5) / steps)
                        if len(tokens) >= 2:
                            counts[tokens[0], tokens[1]] += weight
                        else:
                            # The second token is then the target's own, one plain step later.
                            counts[tokens[0]] += weight * target[1]
    return counts


def check_joint_distribution(sub):
    """The first two tokens, over an even grid of all random numbers"""
    # All probabilities are tenths or quarters that the grid of 20 resolves exactly or to half a step.
    draft = np.array([[0.5, 0.3, 0.2], [0.2, 0.6, 0.2]])
    target = np.array([[0.3, 0.3, 0.4], [0.4, 0.1, 0.5], [0.25, 0.25, 0.5]])
    counts = sub.run(tally, draft, target, 10, 20)
    if np.shape(counts) != (3, 3):
        fail("the tokens are not from the vocabulary of 3", "return token numbers")
    expect_close(
        counts, np.outer(target[0], target[1]),
        "the first two tokens must have the target's joint distribution, whatever the draft was", rel=0, abs=0.01,
    )


def check_random(sub, ref, rng):
    """Sixty random rounds against the reference"""
    draw = np.random.default_rng(rng.getrandbits(32))
    for _ in range(60):
        k, vocab = rng.randint(1, 6), rng.choice([2, 5, 40])
        target = draw.dirichlet(np.full(vocab, 0.5), k + 1)
        draft = 0.5 * target[:k] + 0.5 * draw.dirichlet(np.full(vocab, 0.5), k)
        tokens = [int(draw.choice(vocab, p=row / row.sum())) for row in draft]
        accept_u, sample_u = draw.random(k).tolist(), float(draw.random())
        expect_equal(
            sub.verify(draft, target, tokens, accept_u, sample_u), ref.verify(draft, target, tokens, accept_u, sample_u),
            "accept in order, stop at the first rejection, sample the residual or the bonus",
        )
