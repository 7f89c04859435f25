import {
  type ClickClass,
  classKey,
  DIRECT,
  dimensionKey,
  FALLBACK,
  OPENED_KEY,
  OTHER_REFERRER,
  PAGE_KEY,
  REFERRER_MAX_LENGTH,
  STAYED_KEY,
  UNTAGGED,
} from "@tapthru/proto/clicks/keys";
import { OPENED_OUTCOMES, type Outcome } from "@tapthru/proto/redirect/outcome";
import type { AppOpeningStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import type { Decision } from "../choose-destination.ts";
import type { Client, Visitor, VisitRequest } from "../visitor/visitor.ts";
import type { ClickMetrics } from "./click-metrics.ts";
import type { ClickTally } from "./click-tally.ts";
import type { OutcomeTally } from "./outcome-tally.ts";
import { queryOrigin } from "./query-origin.ts";
import { unpaidReason } from "./unpaid.ts";
import type { VisitorOrigins } from "./visitor-origins.ts";

/** Characters of a Referer header that are read. */
const READ_LENGTH = 512;

/** Also `android-app://com.example/`. Addresses such as 192.0.2.1 are not stored, so a letter is required at the end. */
const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)(?=[:/?#]|$)/i;

/** The host of a Referer header, without `www.`. */
export function referrerHost(referrer: string | undefined): string {
  if (referrer === undefined || referrer === "") return DIRECT;
  const host = HOST.exec(referrer.slice(0, READ_LENGTH))?.[1]?.toLowerCase();
  return host === undefined || host.length > REFERRER_MAX_LENGTH ? OTHER_REFERRER : host;
}

interface CountedVisit {
  shortCode: string;
  visitor: Visitor;
  decision: Decision;
}

export interface ClickCounter {
  countVisit(request: VisitRequest, visit: CountedVisit): void;
  /** @param rated the strategy for whose rate it counts; null if for none */
  countOutcome(shortCode: string, outcome: Outcome["outcome"], rated: AppOpeningStrategy | null): void;
}

export interface ClickCounterDependencies {
  tally: Pick<ClickTally, "add">;
  outcomes: Pick<OutcomeTally, "add">;
  originOf: VisitorOrigins;
  metrics: Pick<ClickMetrics, "countClick">;
}

/** Counts in memory only. */
export function createClickCounter(deps: ClickCounterDependencies): ClickCounter {
  const { tally, outcomes, originOf, metrics } = deps;
  const clientKeys = new WeakMap<Client, { device: string; app: string; ofProgram: readonly string[] }>();

  function keysOf(client: Client) {
    const known = clientKeys.get(client);
    if (known !== undefined) return known;
    const keys = {
      device: dimensionKey("device", client.device),
      app: dimensionKey("app", client.app),
      ofProgram: keysOfProgram(client),
    };
    clientKeys.set(client, keys);
    return keys;
  }

  function countPerson(request: VisitRequest, visit: CountedVisit, now: number): void {
    const { shortCode, decision } = visit;
    const { client, query } = visit.visitor;
    const { countryKey, register } = originOf(request, client, now);
    const { device, app } = keysOf(client);
    const origin = queryOrigin(query);
    const { sources, program } = origin;
    const { referer } = request.headers;
    const referrer = program !== null && !referer ? program : referrerHost(referer);
    const keys = [classKey("person"), device, app, countryKey, dimensionKey("referrer", referrer)];
    if (decision.kind === "app-page") keys.push(PAGE_KEY);
    const store = storeOf(decision);
    if (store !== null) keys.push(dimensionKey("store", store));
    for (const source of sources) keys.push(dimensionKey("source", source));
    const unpaid = isOpening(decision) ? unpaidReason(decision, origin, referrer) : null;
    if (unpaid !== null) keys.push(dimensionKey("pay", unpaid));
    tally.add(shortCode, keys, register, now);
  }

  return {
    countVisit(request, visit) {
      const found: ClickClass | null = clickClass(visit.visitor, request.method, visit.decision);
      if (found === null) return;
      metrics.countClick(found);
      const now = Date.now();
      if (found === "person") countPerson(request, visit, now);
      else if (found === "prefetch") tally.add(visit.shortCode, [classKey(found)], null, now);
      else tally.add(visit.shortCode, keysOf(visit.visitor.client).ofProgram, null, now);
    },
    countOutcome(shortCode, outcome, rated) {
      const now = Date.now();
      if (rated) outcomes.add(outcome, rated, now);
      tally.add(shortCode, [OPENED_OUTCOMES.includes(outcome) ? OPENED_KEY : STAYED_KEY], null, now);
    },
  };
}

function keysOfProgram({ agentClass, program }: Client): string[] {
  return agentClass === "person" ? [] : [classKey(agentClass), dimensionKey(agentClass, program)];
}

const isOpening = (decision: Decision) => decision.kind === "redirect" || decision.kind === "app-page";

/** The other store to which the visit was sent, or what counts in its place; null: the link's own destination. */
function storeOf(decision: Decision): string | null {
  if (!isOpening(decision)) return null;
  const { link, route } = decision;
  if (link.isUntagged) return UNTAGGED;
  return route?.kind === "fallback" ? FALLBACK : (route?.marketplace ?? null);
}

export const NO_CLICK_COUNTER: ClickCounter = { countVisit() {}, countOutcome() {} };

/**
 * The class of a visit; null if it is not counted: other methods than GET, errors, the return from an in-app browser,
 * which was counted before, and Google's prefetch proxy.
 */
function clickClass(visitor: Visitor, method: string, decision: Pick<Decision, "kind">): ClickClass | null {
  const { kind } = decision;
  const isCounted = kind === "redirect" || kind === "app-page" || kind === "card";
  if (!isCounted || method !== "GET") return null;
  if (visitor.isEscaped || visitor.isProxiedPrefetch) return null;
  const { agentClass } = visitor.client;
  return agentClass === "person" && visitor.isPrefetch ? "prefetch" : agentClass;
}
