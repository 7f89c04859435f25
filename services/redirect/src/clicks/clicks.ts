import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { Registry } from "prom-client";
import type { CountryOf } from "../visitor/visitor-country.ts";
import { type ClickCounter, createClickCounter, NO_CLICK_COUNTER } from "./click-counter.ts";
import { createClickMetrics } from "./click-metrics.ts";
import { createClickSender } from "./click-sender.ts";
import { ClickTally } from "./click-tally.ts";
import { DailySalt } from "./daily-salt.ts";
import { OutcomeTally } from "./outcome-tally.ts";
import { createVisitorOrigins } from "./visitor-origins.ts";

export interface Clicks extends ClickCounter {
  flush(): Promise<void>;
  /** The client of the queue, and what sends the clicks to it. */
  components: Component[];
}

export interface ClicksOptions {
  isOn: boolean;
  countryOf: CountryOf;
  redis: RequestRedis;
  registry: Registry;
  logger: Logger;
}

/** Everything that counts clicks. While off, nothing is counted or sent. */
export function createClicks(options: ClicksOptions): Clicks {
  const { isOn, countryOf, redis, registry, logger } = options;
  if (!isOn) return { ...NO_CLICK_COUNTER, flush: async () => {}, components: [] };
  const tally = new ClickTally();
  const outcomes = new OutcomeTally();
  const salt = new DailySalt(redis);
  const metrics = createClickMetrics(registry, () => sender.unsentAge());
  const sender = createClickSender({ tally, outcomes, salt, redis, metrics, logger });
  const originOf = createVisitorOrigins({ countryOf, salt });
  return {
    ...createClickCounter({ tally, outcomes, originOf, metrics }),
    flush: sender.flush,
    components: [redis, sender],
  };
}
