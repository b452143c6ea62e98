"""KV blocks on demand: whoever decodes holds the blocks of its tokens, however many of them a step needs."""

from random import Random

import pytest
from sim.realistic import RealisticReplica

from sim import Request, Setup


@pytest.mark.parametrize("acceptance", [0.0, 0.7])
@pytest.mark.parametrize(("kv_block", "draft_tokens"), [(16, 0), (16, 3), (4, 3), (4, 4), (2, 5), (1, 7)])
def test_every_step_has_the_blocks_of_its_tokens_and_none_too_many(kv_block, draft_tokens, acceptance):
    setup = Setup(7.6e9, 15.2e9, 57344, 2000, kv_policy="on_demand", kv_block=kv_block, draft_tokens=draft_tokens, acceptance=acceptance)
    rng = Random(1)
    replica = RealisticReplica(setup)
    replica.submit([Request(n * 0.02, rng.randint(1, 200), rng.randint(1, 300)) for n in range(60)])
    while replica.next_event() < float("inf"):
        replica.advance(max(replica.next_event(), replica.clock + rng.choice([0.0, 0.01])))
        for live in replica._running.values():
            assert live.held == live.room
            if 0 <= live.start < replica.step:
                needed = live.first + (replica.step - 1 - live.start) * setup.tokens_per_round
                assert needed - 1e-6 <= live.room
                assert live.room < max(needed, live.target) + kv_block + 1e-6
    assert sum(replica.preemptions) > 0
    assert len(replica.finished) == 60
