import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { type CheckResult, none, observed } from "../check-result.ts";
import type { ClickCounts } from "../evidence/click-counts.ts";
import type { Crash } from "../injectors/crash-at-random.ts";
import type { ClickVisit } from "../load/clicks/click-load.ts";
import { VISIT_KINDS } from "../load/clicks/visit-kinds.ts";

/** Clicks of this time may be lost with a killed redirect whose event loop is not delayed. */
const LOSS_MS = 1_000;
/** Redis with appendfsync everysec may lose replies of this time, which a redirect sends again unless it was killed. */
const REDIS_LOSS_MS = 2_000;
/** After a restart of the queue Redis, redirects have sent what waited within this time. */
const RECONNECT_MS = 3_000;

export interface ClickEvidence {
  visits: readonly ClickVisit[];
  crashes: readonly Crash[];
  counted: ClickCounts;
  /** The longest delay of the event loop of a redirect, which sends batches by a timer. */
  delaySeconds: number;
}

/** The visits of a link that count in one class. */
interface Figures {
  name: string;
  clickClass: ClickClass;
  served: number;
  /** Of these, by a redirect in its last second before it was killed. */
  lastSecond: number;
  /** Visits that may or may not have been served. */
  withoutResponse: number;
  counted: number;
}

/** Compares the clicks of each link and class with the visits that were served. */
export function checkClicks(evidence: ClickEvidence): CheckResult[] {
  const { crashes, delaySeconds } = evidence;
  const figures = [...figuresOf(evidence).values()];
  const sum = (key: "served" | "counted" | "lastSecond", some = figures) =>
    some.reduce((total, one) => total + one[key], 0);
  const lost = figures.filter((one) => one.counted < one.served);
  const lostTooMuch = lost.filter((one) => one.served - one.counted > one.lastSecond);
  const tooMany = figures.filter((one) => one.counted > one.served + one.withoutResponse);
  const show = (one: Figures) => `${one.name}: ${one.counted} of ${one.served}`;
  const killed = crashes.filter(({ target }) => target.startsWith("redirect"));
  const killedTogether = killed.filter((crash) => queueOutagesAt(crash, crashes).length > 0);
  return [
    observed(
      "redirects killed with the queue Redis",
      `${killedTogether.length} of ${killed.length}`,
    ),
    observed("longest delay of a redirect's event loop", `${delaySeconds.toFixed(2)} s`),
    ...CLICK_CLASSES.map((clickClass) => {
      const some = figures.filter((one) => one.clickClass === clickClass);
      const text = `${sum("served", some)}, ${sum("counted", some)}`;
      return observed(`${clickClass}: visits served, clicks counted`, text);
    }),
    observed(
      "visits served by killed redirects in their last second and that delay",
      sum("lastSecond"),
    ),
    observed("of these, not counted", sum("served", lost) - sum("counted", lost)),
    none("links that lost other clicks", lostTooMuch.map(show)),
    none("links with more clicks than visits", tooMany.map(show)),
  ];
}

/** By link and class. */
function figuresOf(evidence: ClickEvidence): Map<string, Figures> {
  const { visits, crashes, counted, delaySeconds } = evidence;
  const all = new Map<string, Figures>();
  const isLastSecond = lastSecondsOf(crashes, LOSS_MS + delaySeconds * 1_000);

  function find(code: string, clickClass: ClickClass): Figures {
    const name = `${code} ${clickClass}`;
    const known = all.get(name);
    if (known !== undefined) return known;
    const none = { served: 0, lastSecond: 0, withoutResponse: 0, counted: 0 };
    const added = { name, clickClass, ...none };
    all.set(name, added);
    return added;
  }

  for (const visit of visits) {
    const clickClass = VISIT_KINDS[visit.kind]?.clickClass ?? null;
    if (clickClass === null) continue;
    const figures = find(visit.code, clickClass);
    if (visit.outcome === "no response") figures.withoutResponse++;
    if (visit.outcome !== "served") continue;
    figures.served++;
    if (isLastSecond(visit)) figures.lastSecond++;
  }
  for (const [code, clicks] of counted) {
    for (const clickClass of CLICK_CLASSES) {
      const count = clicks[clickClass] ?? 0;
      if (count > 0) find(code, clickClass).counted = count;
    }
  }
  return all;
}

/** Whether a visit was served when the clicks of its replica could still be lost. */
function lastSecondsOf(crashes: readonly Crash[], lossMs: number): (visit: ClickVisit) => boolean {
  const periods = crashes.flatMap((crash) => {
    const [, number] = /^redirect-(\d)$/.exec(crash.target) ?? [];
    if (number === undefined) return [];
    const outages = queueOutagesAt(crash, crashes).map(({ at }) => at - REDIS_LOSS_MS);
    const from = Math.min(crash.at, ...outages) - lossMs;
    return [{ replica: Number(number) - 1, from, to: crash.readyAt }];
  });
  return ({ replica, at }) =>
    periods.some((one) => one.replica === replica && one.from <= at && at <= one.to);
}

/** The outages of the queue Redis in which a redirect had clicks that no server kept when it was killed. */
function queueOutagesAt({ at }: Crash, crashes: readonly Crash[]): Crash[] {
  return crashes.filter(
    (crash) =>
      crash.target === "queue Redis" &&
      crash.at - REDIS_LOSS_MS <= at &&
      at <= crash.readyAt + RECONNECT_MS,
  );
}
