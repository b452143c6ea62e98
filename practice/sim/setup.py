"""What one serving instance is: a model on its GPUs, and how its engine schedules."""

from dataclasses import dataclass, fields

from practice.sim.wording import check_choice, check_number, check_whole

KV_POLICIES = ("reserve", "on_demand")
SCHEDULES = ("chunked", "prefill_first", "decode_first")
ORDERS = ("fcfs", "priority", "shortest")


@dataclass(frozen=True)
class Setup:
    """One instance (one model replica on one or more GPUs); sums over its GPUs, in bytes, FLOP and seconds.

    The first four fields have no default. Everything from `mbu` on is off by default; each is one named piece of
    realism, and with all of them off the simulator is the published one (see docs of `simulate`).
    Example: Qwen2.5-7B in 16 bits on one H100 is Setup(7.6e9, 15.2e9, 57344, int(55e9 / 57344)).
    """

    params: float
    """Parameters that one token computes with (the activated ones of an MoE)."""
    weight_bytes: float
    """Bytes of weights read in a step."""
    kv_bytes_per_token: float
    """Bytes of keys and values of one token over all layers."""
    kv_capacity_tokens: int
    """Tokens whose keys and values fit in memory."""
    peak_flops: float = 989e12
    """Dense peak FLOP/s; the default is one H100 in BF16."""
    bandwidth: float = 3.35e12
    """Memory bandwidth in bytes/s; the default is one H100."""
    mfu: float = 0.5
    """Share of peak_flops that a compute-bound step reaches, above 0 and at most 1."""
    step_overhead: float = 0.5e-3
    """Seconds of every step that are neither computing nor reading: scheduling, launches."""
    max_num_batched_tokens: int = 8192
    """Tokens that one step may process over all requests (the token budget of chunked prefill)."""
    max_num_seqs: int = 256
    """Requests that may run at once."""

    mbu: float = 1.0
    """Share of bandwidth that a memory-bound step reaches, above 0 and at most 1."""
    attention_flops: float = 0.0
    """FLOP per pair of a query and a key it attends to, over all layers: 4 * layers * heads * head size."""
    overhead_per_seq: float = 0.0
    """Further seconds per step for every running request: sampling, block tables, detokenising."""
    comm_latency: float = 0.0
    """Seconds per step that all-reduces cost whatever their size: 2 * layers * latency of one."""
    comm_bytes_per_token: float = 0.0
    """Bytes each GPU sends for one token in a step's all-reduces: 2 * layers * 2 (tp-1)/tp * hidden * bytes."""
    link_bandwidth: float = 450e9
    """Bytes/s of one GPU's link in one direction; the default is H100 NVLink."""
    experts: int = 0
    """Routed experts of a layer; 0 for a dense model."""
    experts_per_token: int = 0
    """Routed experts that one token uses."""
    expert_bytes: float = 0.0
    """The part of weight_bytes that sits in routed experts: a step reads only the experts its tokens touch."""
    draft_tokens: int = 0
    """Tokens drafted per request and step by speculative decoding; 0 is off."""
    acceptance: float = 0.0
    """Probability that a drafted token is accepted, given that the ones before it were; 0 to below 1."""
    draft_cost: float = 0.0
    """Time of drafting one token, as a share of the time the target model needs to read its weights and KV."""
    schedule: str = "chunked"
    """chunked: prefill shares steps with decode; prefill_first: prefill alone, before decode; decode_first: a
    batch decodes to its end before the next prefill."""
    order: str = "fcfs"
    """Who is admitted next: fcfs by arrival, priority by Request.priority (lowest first), shortest by output_len."""
    kv_policy: str = "reserve"
    """reserve: admission reserves the final length; on_demand: blocks as they fill, preemption by recomputation."""
    kv_block: int = 16
    """Tokens per KV block, with kv_policy = "on_demand"."""
    watermark: float = 0.01
    """Share of the blocks that an admission must leave free, with kv_policy = "on_demand"."""
    prefix_cache: bool = False
    """Keep the KV of finished prompts (least recently used goes first) and reuse it by Request.hashes."""

    def __post_init__(self):
        check_number("weight_bytes", self.weight_bytes, above=0)
        check_fit(self.kv_capacity_tokens)
        for name in ("params", "kv_bytes_per_token", "peak_flops", "bandwidth", "link_bandwidth"):
            check_number(name, getattr(self, name), above=0)
        for name in ("mfu", "mbu"):
            check_number(name, getattr(self, name), above=0, most=1)
        for name in ("step_overhead", "attention_flops", "overhead_per_seq", "comm_latency", "comm_bytes_per_token",
                     "expert_bytes", "draft_cost"):
            check_number(name, getattr(self, name), least=0)
        for name in ("max_num_batched_tokens", "max_num_seqs", "kv_block"):
            check_whole(name, getattr(self, name), least=1)
        for name in ("experts", "experts_per_token", "draft_tokens"):
            check_whole(name, getattr(self, name), least=0)
        check_number("acceptance", self.acceptance, least=0, below=1)
        check_number("watermark", self.watermark, least=0, below=1)
        check_choice("kv_policy", self.kv_policy, KV_POLICIES)
        check_choice("schedule", self.schedule, SCHEDULES)
        check_choice("order", self.order, ORDERS)
        self._check_parts()

    def _check_parts(self):
        if self.expert_bytes > self.weight_bytes:
            raise ValueError(f"expert_bytes is {self.expert_bytes:g}, but it is a part of weight_bytes, {self.weight_bytes:g}")
        if self.experts and not 1 <= self.experts_per_token <= self.experts:
            raise ValueError(f"experts_per_token is {self.experts_per_token}, but it must be from 1 to experts, {self.experts}")
        if self.draft_tokens and self.max_num_batched_tokens <= self.draft_tokens:
            raise ValueError(f"max_num_batched_tokens is {self.max_num_batched_tokens}, but verifying {self.draft_tokens} drafted "
                             f"tokens takes {self.draft_tokens + 1}")

    @property
    def is_default(self) -> bool:
        """Whether scheduling and step time are the published ones, which the fast engine covers."""
        return all(getattr(self, name) == value for name, value in _REALISM.items())

    @property
    def tokens_per_round(self) -> float:
        """Expected tokens that one decode step gives a request: (1 - a^(k+1)) / (1 - a), 1 without speculation.

        Source: Leviathan et al. 2023, equation 1.
        """
        if not self.draft_tokens:
            return 1.0
        return (1 - self.acceptance ** (self.draft_tokens + 1)) / (1 - self.acceptance)

    @classmethod
    def for_model(cls, model: str, gpu: str = "h100", tp: int = 1, weights: str = "bf16", kv: str = "bf16", **settings) -> "Setup":
        """The Setup of a model of the catalogue on `tp` GPUs of the catalogue; see practice.sim.derivation."""
        from practice.sim.derivation import derive

        return derive(model, gpu, tp, weights, kv, **settings).setup


_REALISM = {
    field.name: field.default
    for field in fields(Setup)[10:]
    if field.name not in ("mbu", "link_bandwidth", "kv_block", "watermark", "experts_per_token", "acceptance", "draft_cost")
}


def check_fit(kv_capacity_tokens):
    """Raises ValueError when no KV cache is left beside the weights."""
    if isinstance(kv_capacity_tokens, (int, float)) and -1e300 < kv_capacity_tokens < 1:
        raise ValueError(f"kv_capacity_tokens is {kv_capacity_tokens:g}, but at least 1 token must fit: the weights leave no room "
                         "for a KV cache on these GPUs")
    check_whole("kv_capacity_tokens", kv_capacity_tokens, least=1)
