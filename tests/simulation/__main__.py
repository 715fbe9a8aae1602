"""`make simulate`: many histories, a summary, and the seeds that break a law."""

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial

from tests.simulation.arguments import at_least_one, minutes
from tests.simulation.faults import RATES
from tests.simulation.history import Ended, run
from tests.simulation.shrink import shrunk

MANY = 100
"""Seeds, of which each kind of fault should strike some."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--seeds", type=at_least_one, default=1, help="how many")
    parser.add_argument("--minutes", type=minutes, default=2.0, help="simulated, of each")
    parser.add_argument("--workers", type=at_least_one, default=2)
    parser.add_argument("--first", action="store_true", help="end with the first broken law")
    args = parser.parse_args()
    began = time.monotonic()
    fired: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    broken: list[Ended] = []
    seeds = range(args.seed, args.seed + args.seeds)
    with ProcessPoolExecutor(args.workers) as pool:
        # One worker is this process: nothing is begun that nobody waits for.
        each = map if args.workers == 1 else pool.map
        for ended in each(partial(run, minutes=args.minutes), seeds):
            fired += ended.fired
            counts += ended.counts
            refusals += ended.refusals
            if ended.violation is not None:
                broken.append(ended)
                print(f"seed {ended.seed}: {ended.violation}", flush=True)
                if args.first:
                    pool.shutdown(wait=False, cancel_futures=True)
                    return 1
                least = json.dumps(asdict(shrunk(ended.seed, args.minutes)))
                print(f"  the least that does, for regressions.json: {least}", flush=True)
    for title, counter in (("faults", fired), ("counts", counts), ("refusals", refusals)):
        print(title)
        for name in sorted(RATES if title == "faults" else counter):
            print(f"  {name:34} {counter[name]}")
    seconds = time.monotonic() - began
    print(f"{args.seeds} seeds of {args.minutes} minutes in {seconds:.1f} s, {len(broken)} broken")
    never = [name for name in RATES if not fired[name]] if args.seeds >= MANY else []
    if never:
        print(f"never happened in {args.seeds} seeds: {', '.join(never)}")
    return 1 if broken or never else 0


if __name__ == "__main__":
    sys.exit(main())
