import { LINK_CHANGES_POLL_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import type { Component } from "@tapthru/runtime/lifecycle";
import { registerGauge } from "@tapthru/runtime/metrics/metrics";
import { PostgresUnavailableError } from "@tapthru/runtime/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/runtime/redis/redis";
import { pause } from "@tapthru/runtime/waiting";
import type { Registry } from "prom-client";
import { type RegionRelayDependencies, relayRound } from "./relay-round.ts";

export interface RegionRelay extends Component {
  /** Whether a round has succeeded. */
  readonly hasCaughtUp: boolean;
}

interface Dependencies extends RegionRelayDependencies {
  registry: Registry;
}

/** Relays changes to a region's Redis every half second. No other region and no request waits for it. */
export function createRegionRelay(deps: Dependencies): RegionRelay {
  const { logger, registry } = deps;
  const stopping = new AbortController();
  let running = Promise.resolve();
  let hasCaughtUp = false;
  let currentAt = performance.now();
  registerGauge(
    registry,
    {
      name: "tapthru_region_changes_lag_seconds",
      help: "Time since the region's Redis last had all changes, or since the start of the process",
    },
    () => (performance.now() - currentAt) / 1_000,
  );

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await tryRound(startedAt);
      await pause(LINK_CHANGES_POLL_INTERVAL_MS, stopping.signal);
    }
  }

  async function tryRound(startedAt: number): Promise<void> {
    try {
      await relayRound(deps, stopping.signal);
      currentAt = startedAt;
      hasCaughtUp = true;
    } catch (err) {
      // The clients log that.
      const isUnavailable =
        err instanceof RedisUnavailableError || err instanceof PostgresUnavailableError;
      if (!isUnavailable && !stopping.signal.aborted)
        logger.error({ event: "outbox_relay_failed", err }, "relay to the region failed");
    }
  }

  return {
    name: "region relay",
    get hasCaughtUp() {
      return hasCaughtUp;
    },
    async start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
