"""The prefix cache by chains, against the plain one that counts block by block: the same numbers, and the same order of eviction."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.pool import Pool
from sim.realistic import RealisticReplica
from sim.service.tiers import Directory, Store, TieredPool

from sim import Request
from tests.sim.cases import run
from tests.sim.plain_pool import PlainPool, PlainTieredPool
from tests.sim.test_realistic import settings_of_all_kinds, shortages

BLOCK = 16


class Prompts:
    """Random prompts that part at any block from earlier ones; equal hashes mean equal prompts up to there."""

    def __init__(self, rng, longest):
        self.rng, self.longest, self.known, self.numbers = rng, longest, [()], {}

    def draw(self):
        trunk = self.rng.choice(self.known[-12:])
        blocks = trunk[:self.rng.randint(0, len(trunk))]
        blocks += tuple(self.rng.randint(0, 1) for _ in range(self.rng.randint(0, self.longest - len(blocks))))
        self.known.append(blocks)
        return tuple(self.numbers.setdefault(blocks[:end], len(self.numbers)) for end in range(1, len(blocks) + 1))


def queue_of(pool):
    """The idle hashes of a Pool in the order in which they would be evicted."""
    ends, queue = {}, []
    for age, chain in pool._ages.items():
        (low, first), = [(low, each) for low, each in chain.idle.items() if each == age]
        high = ends.get(chain, chain.size)
        assert first == age and low < high
        queue += reversed(chain.keys[low:high])
        ends[chain] = low
    assert all(low == chain.used for chain, low in ends.items())
    return queue


def users_of(pool):
    """Hash -> requests that use it, of a Pool."""
    users = {}
    for key, chain in pool._chains.items():
        assert key == chain.keys[0] and 0 <= chain.used <= chain.size <= len(chain.keys) and chain.size
        assert chain.used == max(chain.depths, default=0)
        for place, each in enumerate(chain.keys[:chain.used]):
            assert each not in users
            users[each] = sum(count for depth, count in chain.depths.items() if depth > place)
    return users


def drive(rng, one, other, longest, each_step):
    """The same random life for two pools: admissions, publications some time later, growth, releases."""
    prompts, lives = Prompts(rng, longest), []
    one.block = other.block = BLOCK
    for _ in range(300):
        action = rng.random()
        if action < 0.4:
            hashes = prompts.draw()
            (count, idle, use), (expected, resting, plain) = one.cached(hashes), other.cached(hashes)
            assert (count, idle) == (expected, resting)
            held = (len(hashes) - count) * BLOCK + rng.randint(1, 40)
            if held <= one.available - idle:
                for pool, each in ((one, use), (other, plain)):
                    pool.hold(each)
                    pool.take(held)
                lives.append([hashes[count:], use, plain, held, False])
        elif action < 0.65 and lives:
            life = rng.choice(lives)
            if not life[4]:
                new = one.publish(life[0], life[1])
                assert new == other.publish(life[0], life[2])
                life[3:] = life[3] - new * BLOCK, True
        elif action < 0.75 and lives:
            life, tokens = rng.choice(lives), rng.randint(1, 3) * BLOCK
            if tokens <= one.available:
                one.take(tokens)
                other.take(tokens)
                life[3] += tokens
        elif lives:
            _, use, plain, held, _ = lives.pop(rng.randrange(len(lives)))
            for pool, each in ((one, use), (other, plain)):
                pool.give(held)
                pool.release(each)
        assert (one.used, one.idle) == (other.used, other.idle)
        assert queue_of(one) == list(other.queue)
        assert users_of(one) == other.users
        each_step()


@pytest.mark.parametrize("seed", range(20))
def test_chains_count_what_single_blocks_count(seed):
    rng = Random(seed)
    longest = rng.choice([2, 8, 40])
    total = rng.choice([3, 10, 100]) * longest * BLOCK
    drive(rng, Pool(total, True), PlainPool(total), longest, lambda: None)


@pytest.mark.parametrize("seed", range(20))
def test_chains_tell_routers_and_slower_tiers_the_same_as_single_blocks(seed):
    rng = Random(seed)
    longest = rng.choice([2, 8, 40])
    total = rng.choice([3, 10]) * longest * BLOCK
    sizes = [rng.choice([None, 5 * BLOCK, 60 * BLOCK]) for _ in range(2)]
    stores = [[size and Store(size) for size in sizes] for _ in range(2)]
    directory, holders = Directory(), {}

    def compare():
        assert directory._holders == {key: bits for key, bits in holders.items() if bits}
        for one, other in zip(*stores):
            assert one is None or list(one._blocks) == list(other._blocks)

    drive(rng, TieredPool(total, directory, 4, *stores[0]), PlainTieredPool(total, holders, 4, *stores[1]), longest, compare)


@pytest.mark.parametrize("seed", range(10))
def test_a_directory_knows_of_each_block_who_holds_it(seed):
    rng, directory, holders = Random(seed), Directory(), {}
    prompts = Prompts(rng, 10)
    for _ in range(200):
        keys, bit, among = prompts.draw(), 1 << rng.randrange(4), rng.randrange(16)
        count, left = 0, among
        while count < len(keys) and holders.get(keys[count], 0) & left:
            left &= holders[keys[count]]
            count += 1
        assert directory.longest(keys, among) == (count, left)
        if rng.random() < 0.5:
            directory.add(keys, bit)
            holders.update({key: holders.get(key, 0) | bit for key in keys})
        else:
            gone = keys[rng.randint(0, len(keys)):]
            directory.drop(gone, bit)
            holders.update({key: holders.get(key, 0) & ~bit for key in gone})
        assert directory._holders == {key: bits for key, bits in holders.items() if bits}


class PlainReplica(RealisticReplica):
    """The engine with the plain pool."""

    def __init__(self, setup, exact=False):
        super().__init__(setup, exact)
        self.pool = PlainPool(self.pool.total, setup.prefix_cache)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.one_of(settings_of_all_kinds(), shortages()), st.integers(0, 2**32))
def test_records_are_those_of_the_plain_pool_to_the_bit(case, seed):
    setup, workload = case
    rng = Random(seed)
    prompts = Prompts(rng, 200)
    workload = [Request(r.arrival, r.input_len, r.output_len, r.priority, prompts.draw(), 16) for r in workload]
    chains, plain = (run(setup, workload, "closed", each) for each in (RealisticReplica, PlainReplica))
    assert chains.records() == plain.records()


def test_what_two_requests_compute_at_once_is_published_once():
    pool = Pool(1000, True)
    pool.block = BLOCK
    _, _, first = pool.cached((1, 2, 3))
    _, _, second = pool.cached((1, 2, 3, 4))
    pool.take(8 * BLOCK)
    assert pool.publish((1, 2, 3), first) == 3
    assert pool.publish((1, 2, 3, 4), second) == 1
    pool.give(4 * BLOCK)
    pool.release(second)
    assert (pool.used, pool.idle) == (3 * BLOCK, BLOCK)
    # The one behind goes first; what the other uses stays.
    assert pool.cached((1, 2, 3, 4))[:2] == (4, BLOCK)
