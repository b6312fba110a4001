"""Serving: many requests over time on one replica, step by step as an engine's scheduler takes them.

    from pysim.serving.load.made import Lengths, made
    from pysim.serving.serve import serve

    load = made(count=300, rate_per_s=4, prompt=Lengths.fixed(1000), answer=Lengths.fixed(200), seed=1)
    run = serve(deployment, load, token_budget=2048, seats=256)
    run.outcomes[0].ttft_s, run.outcomes[0].tpot_s

`plan/` has more questions: the highest rate within limits (`search.highest_rate`), the fewest devices
for a rate (`size.options`), and many settings side by side (`sweep.sweep`). `results/` calibrates it by a load test.

A step carries one token of every conversation that writes, and pieces of prompts that the policy chooses. Its seconds
are those of `pysim.roofline`. The replica keeps the books of blocks and seats, and refuses a policy that overdraws.
"""
