import { BROWSER, type UserAgent } from "@tapthru/proto/rules/agents/agent";
import { chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE as TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { describe, expect, test } from "vitest";
import { appLabel, referringApps } from "./openings.ts";

const SYSTEMS = ["ios", "android"] as const;

const placeOf = (system: "ios" | "android", name: string) =>
  referringApps(system, TABLE).find((place) => appLabel(place) === name);
const strategyFor = (agent: Omit<UserAgent, "appVersion">, appVersion: string | null = null) =>
  chooseStrategy(TABLE, { ...agent, appVersion });

describe.each(SYSTEMS)("on %s", (system) => {
  const places = referringApps(system, TABLE);

  test("lists every app of the strategy table under a unique name, browsers first", () => {
    const apps = [BROWSER, ...TABLE.apps.map(({ id }) => id), "other-view"];
    expect([...new Set(places.map(({ app }) => app))]).toEqual(apps);
    const names = places.map(appLabel);
    expect(new Set(names).size).toBe(names.length);
    for (const id of apps) expect(names).not.toContain(id);
  });

  test("uses the strategy that the redirect service chooses", () => {
    for (const { app, strategy, isUnidentified } of places) {
      const version = strategy.below && `${Number.parseInt(strategy.below, 10) - 1}`;
      const agent = { device: system, app: isUnidentified ? BROWSER : app };
      expect(strategy).toBe(strategyFor(agent, version ?? strategy.from ?? null));
    }
  });
});

test("lists an older version of an app separately", () => {
  expect(placeOf("ios", "Instagram")?.strategy.id).toBe("instagram-ios");
  expect(placeOf("ios", "Instagram, before version 417")?.strategy.id).toBe("instagram-ios-before-417");
});

test("a canary is no place of its own", () => {
  const rows = TABLE.rows.map((row) => ({ ...row, id: `${row.id}-canary`, percent: 5 }));
  const table = { ...TABLE, rows: [...rows, ...TABLE.rows] };
  for (const system of SYSTEMS) {
    expect(referringApps(system, table)).toEqual(referringApps(system, TABLE));
  }
});

test("an app that its user agent does not identify uses the browser's strategy", () => {
  for (const system of SYSTEMS) {
    const slack = { isUnidentified: true, isAutomatic: true, strategy: { id: `browser-${system}` } };
    expect(placeOf(system, "Slack")).toMatchObject(slack);
  }
  expect(placeOf("android", "Telegram")?.strategy.id).toBe("telegram-android");
  const telegram = { isUnidentified: true, isAutomatic: false, strategy: { id: "browser-ios" } };
  expect(placeOf("ios", "Telegram")).toMatchObject(telegram);
});

test("an app known only to a newer table is named by its id", () => {
  const apps = [...TABLE.apps, { id: "newcomer", markers: [{ text: "New/" }], versionAfter: [] }];
  const strategy = TABLE.rows.find(({ id }) => id === "x-ios");
  if (!strategy) throw new Error("No such strategy");
  const rows = [...TABLE.rows, { ...strategy, id: "newcomer-ios", app: "newcomer", from: "2" }];
  const names = referringApps("ios", { ...TABLE, apps, rows }).map(appLabel);
  expect(names).toContain("newcomer, from version 2");
});
