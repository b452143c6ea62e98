"""Hidden checks of exercise 641: KV transfer hidden behind prefill."""

from practice.kernel.expect import expect_close, expect_equal, expect_raises


def check_example_pipeline(sub):
    """The four layers of the prompt"""
    expect_close(sub.exposed_seconds(0.040, 0.040, 4), 0.010, "the last layer is computed at 40 ms and sent from 40 to 50 ms, after prefill")


def check_network_bits(sub):
    """Gigabits to bytes"""
    expect_close(sub.transfer_seconds(8192, 327680, 400, 1, 0.8), 8192 * 327680 / 40e9, "there are 8 bits in a byte: 400 Gb/s at 80% are 40 GB/s")
    expect_close(sub.transfer_seconds(8192, 327680, 400, 8, 0.8), 0.0083886080, "eight links carry eight times as much, and 8 bits are a byte")
    expect_close(sub.transfer_seconds(4096, 70272, 400, 1, 1.0), 0.00575668224, "0.29 GB of MLA latents over 50 GB/s")


def check_fast_link(sub):
    """A link that is faster than prefill"""
    expect_close(
        sub.exposed_seconds(0.3147, 0.008388608, 80), 0.008388608 / 80,
        "everything but the last layer is hidden; the last layer exists only when prefill is over",
    )


def check_slow_link(sub):
    """A link that is slower than prefill"""
    expect_close(
        sub.exposed_seconds(0.3147, 1.074, 80), 1.074 - 0.3147 + 0.3147 / 80,
        "the link is busy from the moment the first layer is computed: transfer - prefill + prefill / layers",
    )
    expect_close(sub.exposed_seconds(0.5, 0.2, 1), 0.2, "with one layer, which is first layer and last, nothing can be hidden")


def check_latency_per_send(sub):
    """A latency for every send"""
    # 10 layers of 1 ms compute and 0.5 ms transfer, 2 ms latency: the link is the bottleneck, 2.5 ms a layer.
    expect_close(
        sub.exposed_seconds(0.010, 0.005, 10, 1, 0.002), 0.001 + 10 * 0.0025 - 0.010, "every send pays the latency: ten sends, ten latencies"
    )
    expect_close(sub.exposed_seconds(0.010, 0.005, 10, 10, 0.002), 0.007, "one send after prefill: one latency and the whole transfer")


def check_last_group_smaller(sub):
    """Ten layers in groups of four"""
    # Groups of 4, 4 and 2 layers: computed at 4, 8 and 10 ms; a layer is sent in 0.5 ms.
    expect_close(sub.exposed_seconds(0.010, 0.005, 10, 4), 0.001, "the last group has two layers: sent from 10 to 11 ms")
    # 3 ms a layer: 4 -> 16, 16 -> 28, 28 -> 34.
    expect_close(sub.exposed_seconds(0.010, 0.030, 10, 4), 0.024, "the last group has two layers and waits for the link: 4 + 12 + 12 + 6 ms")


def check_best_group(sub):
    """The trade between waiting and latency"""
    expect_equal(sub.best_group(0.010, 0.005, 10, 0.0), 1, "without latency smaller is never worse")
    expect_equal(sub.best_group(0.010, 0.005, 10, 0.002), 5, "two sends of five layers end 4.5 ms after prefill; smaller groups pay more latencies, larger ones wait longer")
    expect_equal(sub.best_group(0.010, 0.0, 10, 0.001), 1, "every size exposes one latency, since one layer's compute hides one send; take the smallest of equals")
    expect_equal(sub.best_group(0.0, 0.005, 8, 0.001), 8, "nothing to hide behind: one send pays one latency")


def check_errors(sub):
    """Groups that cannot be"""
    for layers, group in ((4, 0), (4, 5), (0, 1)):
        expect_raises(ValueError, lambda: sub.exposed_seconds(0.1, 0.1, layers, group), "a group has from 1 to all layers, and there is at least one layer")


def check_random(sub, ref, rng):
    """A hundred random pipelines against the reference"""
    for _ in range(100):
        layers = rng.randint(1, 80)
        prefill, transfer = rng.uniform(0.001, 2), rng.uniform(0.001, 2)
        latency = rng.choice([0.0, rng.uniform(0, 0.01)])
        group = rng.randint(1, layers)
        expect_close(
            sub.exposed_seconds(prefill, transfer, layers, group, latency), ref.exposed_seconds(prefill, transfer, layers, group, latency),
            "a group is sent when its last layer is computed and the link is free", abs=1e-12,
        )
        chosen = sub.best_group(prefill, transfer, layers, latency)
        least = ref.exposed_seconds(prefill, transfer, layers, ref.best_group(prefill, transfer, layers, latency), latency)
        expect_close(ref.exposed_seconds(prefill, transfer, layers, chosen, latency), least, "no other group size exposes less", rel=1e-8, abs=1e-12)
