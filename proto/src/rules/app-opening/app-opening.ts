import * as z from "zod/mini";
import { BROWSER, OTHER_WEB_VIEW, type UserAgent } from "../agents/agent.ts";
import { AgentText, Marker } from "../agents/markers.ts";

const MAX_APPS = 100;
const MAX_ROWS = 400;

const Id = z.string().check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/));
const VersionNumber = z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,9}){0,3}$/));

const App = z.strictObject({
  id: Id,
  /** Empty for an app that no User-Agent identifies yet. */
  markers: z.array(Marker).check(z.maxLength(20)),
  versionAfter: z.array(AgentText).check(z.maxLength(5)),
});

/** How a tap leaves an in-app browser; `by-hand`: a hint to use the app's own menu. */
export const Escape = z.enum(["safari", "instagram", "threads", "kakaotalk", "line", "by-hand"]);
export type Escape = z.infer<typeof Escape>;

const Row = z.strictObject({
  id: Id,
  app: Id,
  os: z.enum(["ios", "android"]),
  /** Versions of the app, `[from, below)`; an absent bound is open. */
  from: z.optional(VersionNumber),
  below: z.optional(VersionNumber),
  /** The primary button; the others are always displayed too. */
  open: z.enum(["scheme", "intent", "escape", "web"]),
  mode: z.enum(["auto", "tap"]),
  escape: z.nullable(Escape),
  checked: z.iso.date(),
  source: z.string().check(z.maxLength(400)),
});
export type AppOpeningStrategy = z.infer<typeof Row>;

/**
 * The strategy table: data that can change without a release. Values that reach a page are members of an enum, ids or
 * versions; addresses are in code.
 */
export const AppOpeningTable = z
  .strictObject({
    version: z.string().check(z.regex(/^[a-z0-9](?:[a-z0-9.-]{0,30}[a-z0-9])?$/)),
    apps: z.array(App).check(z.maxLength(MAX_APPS)),
    rows: z.array(Row).check(z.maxLength(MAX_ROWS)),
  })
  .check(
    z.refine(({ apps }) => hasNoRepeats([...apps.map(({ id }) => id), BROWSER, OTHER_WEB_VIEW]), {
      error: "an app is listed twice, or has a reserved name",
    }),
    z.refine(({ rows }) => hasNoRepeats(rows.map(({ id }) => id)), {
      error: "a strategy is listed twice",
    }),
    z.refine(({ rows }) => rows.every(isSound), {
      error: "a strategy opens what its system or its mode cannot",
    }),
    z.refine(coversEverything, {
      error: "rows must be of known apps, and each app needs one without versions on both systems",
    }),
  );
export type AppOpeningTable = z.infer<typeof AppOpeningTable>;

/**
 * The first strategy that matches. For an unknown app version, only strategies without versions match.
 * @returns null for visitors without an Amazon app to open
 */
export function chooseStrategy({ rows }: AppOpeningTable, agent: UserAgent): AppOpeningStrategy | null {
  return rows.find((strategy) => fits(strategy, agent)) ?? null;
}

function fits(strategy: AppOpeningStrategy, { device, app, appVersion }: UserAgent): boolean {
  if (strategy.os !== device || strategy.app !== app) return false;
  if (!hasVersions(strategy)) return true;
  return (
    appVersion !== null &&
    (strategy.from === undefined || compareVersions(appVersion, strategy.from) >= 0) &&
    (strategy.below === undefined || compareVersions(appVersion, strategy.below) < 0)
  );
}

function hasVersions({ from, below }: AppOpeningStrategy): boolean {
  return from !== undefined || below !== undefined;
}

/** Compares number by number; a missing number counts as 0. */
function compareVersions(one: string, other: string): number {
  const [parts, otherParts] = [one, other].map((version) => version.split(".").map(Number));
  for (let index = 0; index < 4; index++) {
    const difference = (parts?.[index] ?? 0) - (otherParts?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isSound(strategy: AppOpeningStrategy): boolean {
  switch (strategy.open) {
    case "scheme":
      return strategy.os === "ios";
    case "intent":
      return strategy.os === "android";
    case "escape":
      return strategy.mode === "tap" && strategy.escape !== null && strategy.escape !== "by-hand";
    case "web":
      return strategy.mode === "tap";
  }
}

function coversEverything({ apps, rows }: { apps: { id: string }[]; rows: AppOpeningStrategy[] }): boolean {
  const known = [...apps.map(({ id }) => id), OTHER_WEB_VIEW, BROWSER];
  return (
    rows.every(({ app }) => known.includes(app)) &&
    known.every((app) =>
      (["ios", "android"] as const).every((os) =>
        rows.some((strategy) => strategy.app === app && strategy.os === os && !hasVersions(strategy)),
      ),
    )
  );
}

function hasNoRepeats(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
