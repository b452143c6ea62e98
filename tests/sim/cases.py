"""Random setups and workloads that the tests of the engines share."""

from random import Random

from hypothesis import strategies as st
from sim.engine import FastReplica

from sim import Request, Setup


@st.composite
def cases(draw):
    """A setup and a heterogeneous workload: blocked KV, small budgets, bursts, zero gaps, idle gaps."""
    rng = Random(draw(st.integers(0, 2**32)))
    count = draw(st.sampled_from([1, 2, 7, 30]))
    most_in, most_out = draw(st.sampled_from([(20, 5), (5000, 40), (300, 900)]))
    lengths = [(rng.randint(1, most_in), rng.randint(1, most_out)) for _ in range(count)]
    largest = max(map(sum, lengths))
    setup = Setup(
        10 ** rng.uniform(8, 11), 10 ** rng.uniform(8, 11), 10 ** rng.uniform(3, 6),
        kv_capacity_tokens=largest + draw(st.sampled_from([0, largest, 100 * largest])),
        mfu=rng.uniform(0.1, 1), step_overhead=draw(st.sampled_from([0.0, 1e-3])),
        max_num_batched_tokens=draw(st.sampled_from([64, 500, 8192])), max_num_seqs=draw(st.sampled_from([1, 4, 256])),
    )
    gap = draw(st.sampled_from([0.0, 1e-3, 0.1, 20.0]))
    now, workload = 0.0, []
    for input_len, output_len in lengths:
        now += rng.choice([0.0, gap, rng.expovariate(1 / gap) if gap else 0.0])
        workload.append(Request(now, input_len, output_len))
    return setup, workload


def run(setup, workload, engine, replica_class=FastReplica):
    replica = replica_class(setup, exact=engine == "exact")
    replica.submit(workload)
    replica.advance()
    return replica
