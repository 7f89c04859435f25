import * as z from "zod/mini";
import { BROWSER, OTHER_WEB_VIEW, type UserAgent } from "./agents/agent.ts";
import { AgentText, Marker } from "./agents/markers.ts";

const MAX_APPS = 100;
const MAX_ROWS = 400;

const Id = z.string().check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/));
const VersionNumber = z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,9}){0,3}$/));

const App = z.strictObject({
  id: Id,
  /** None for an app that no agent names so far. */
  markers: z.array(Marker).check(z.maxLength(20)),
  versionAfter: z.array(AgentText).check(z.maxLength(5)),
});

/** Where a tap leads out of an in-app browser; `by-hand` is a hint to use the app's own menu. */
export const Escape = z.enum(["safari", "instagram", "threads", "kakaotalk", "line", "by-hand"]);
export type Escape = z.infer<typeof Escape>;

/** How the page opens the Amazon app in one app on one system. */
const Row = z.strictObject({
  id: Id,
  app: Id,
  os: z.enum(["ios", "android"]),
  /** Versions of the app, from the first one on and below the second; absent: no such end. */
  from: z.optional(VersionNumber),
  below: z.optional(VersionNumber),
  /** The first choice on the page; the others are always there too. */
  open: z.enum(["scheme", "intent", "escape", "web"]),
  /** `auto`: the page also tries once by itself, on arrival. */
  mode: z.enum(["auto", "tap"]),
  escape: z.nullable(Escape),
  /** When the source saw it. */
  checked: z.iso.date(),
  source: z.string().check(z.maxLength(400)),
});
export type AppOpeningStrategy = z.infer<typeof Row>;

/**
 * The strategy table: data that may change without a release. Everything in it that reaches a page is
 * a word of a closed list, an id or a version; addresses live in code.
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
      error: "a row is listed twice",
    }),
    z.refine(({ rows }) => rows.every(isSound), {
      error: "a row opens what its system or its mode cannot",
    }),
    z.refine(coversEverything, {
      error: "rows must be of known apps, and each app needs one without versions on both systems",
    }),
  );
export type AppOpeningTable = z.infer<typeof AppOpeningTable>;

/**
 * The first row that fits. Where the app's version is not known, only rows without versions do.
 * @returns null for whoever has no Amazon app to open
 */
export function chooseStrategy(
  table: AppOpeningTable,
  agent: UserAgent,
): AppOpeningStrategy | null {
  return table.rows.find((row) => fits(row, agent)) ?? null;
}

function fits(row: AppOpeningStrategy, { device, app, appVersion }: UserAgent): boolean {
  if (row.os !== device || row.app !== app) return false;
  if (!hasVersions(row)) return true;
  return (
    appVersion !== null &&
    (row.from === undefined || compareVersions(appVersion, row.from) >= 0) &&
    (row.below === undefined || compareVersions(appVersion, row.below) < 0)
  );
}

function hasVersions({ from, below }: AppOpeningStrategy): boolean {
  return from !== undefined || below !== undefined;
}

/** Part by part as numbers; a part that is missing counts as 0. */
function compareVersions(one: string, other: string): number {
  const [parts, otherParts] = [one, other].map((version) => version.split(".").map(Number));
  for (let index = 0; index < 4; index++) {
    const difference = (parts?.[index] ?? 0) - (otherParts?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isSound(row: AppOpeningStrategy): boolean {
  switch (row.open) {
    case "scheme":
      return row.os === "ios";
    case "intent":
      return row.os === "android";
    case "escape":
      return row.mode === "tap" && row.escape !== null && row.escape !== "by-hand";
    case "web":
      return row.mode === "tap";
  }
}

function coversEverything({
  apps,
  rows,
}: {
  apps: { id: string }[];
  rows: AppOpeningStrategy[];
}): boolean {
  const known = [...apps.map(({ id }) => id), OTHER_WEB_VIEW, BROWSER];
  return (
    rows.every(({ app }) => known.includes(app)) &&
    known.every((app) =>
      (["ios", "android"] as const).every((os) =>
        rows.some((row) => row.app === app && row.os === os && !hasVersions(row)),
      ),
    )
  );
}

function hasNoRepeats(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
