import {
  type ClickClass,
  classKey,
  dimensionKey,
  OPENED_KEY,
  PAGE_KEY,
  STAYED_KEY,
} from "@tapthru/proto/clicks/keys";
import type { Outcome } from "@tapthru/proto/redirect/outcome";
import type { FastifyRequest } from "fastify";
import type { Decision } from "../choose-destination.ts";
import type { Client, Visitor } from "../visitor.ts";
import { clickClass } from "./click-class.ts";
import type { ClickMetrics } from "./click-metrics.ts";
import type { ClickTally } from "./click-tally.ts";
import { createReferrerKeys } from "./referrer.ts";
import type { VisitorOrigins } from "./visitor-origins.ts";

interface CountedVisit {
  shortCode: string;
  visitor: Visitor;
  decision: Pick<Decision, "kind">;
}

export interface ClickCounter {
  countVisit(request: FastifyRequest, visit: CountedVisit): void;
  countOutcome(shortCode: string, outcome: Outcome["outcome"]): void;
}

export interface ClickCounterDependencies {
  tally: Pick<ClickTally, "add">;
  originOf: VisitorOrigins;
  metrics: Pick<ClickMetrics, "countClick">;
}

/** Counts in memory only. */
export function createClickCounter(deps: ClickCounterDependencies): ClickCounter {
  const { tally, originOf, metrics } = deps;
  const referrerKeyOf = createReferrerKeys();
  const clientKeys = new WeakMap<Client, { device: string; app: string }>();

  function keysOf(client: Client) {
    const known = clientKeys.get(client);
    if (known !== undefined) return known;
    const keys = {
      device: dimensionKey("device", client.device),
      app: dimensionKey("app", client.app),
    };
    clientKeys.set(client, keys);
    return keys;
  }

  function countPerson(request: FastifyRequest, visit: CountedVisit, now: number): void {
    const { shortCode, decision } = visit;
    const { client } = visit.visitor;
    const { countryKey, register } = originOf(request, client, now);
    const { device, app } = keysOf(client);
    const keys = [classKey("person"), device, app, countryKey];
    keys.push(referrerKeyOf(request.headers.referer));
    if (decision.kind === "app-page") keys.push(PAGE_KEY);
    tally.add(shortCode, keys, register, now);
  }

  return {
    countVisit(request, visit) {
      const found: ClickClass | null = clickClass(visit.visitor, request.method, visit.decision);
      if (found === null) return;
      metrics.countClick(found);
      const now = Date.now();
      if (found === "person") countPerson(request, visit, now);
      else tally.add(visit.shortCode, [classKey(found)], null, now);
    },
    countOutcome(shortCode, outcome) {
      if (outcome === "unknown") return;
      tally.add(shortCode, [outcome === "opened" ? OPENED_KEY : STAYED_KEY], null, Date.now());
    },
  };
}

export const NO_CLICK_COUNTER: ClickCounter = { countVisit() {}, countOutcome() {} };
