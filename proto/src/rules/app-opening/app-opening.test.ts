import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Device, UserAgent } from "../agents/agent.ts";
import { escapeUrl } from "./app-escape.ts";
import { AppOpeningTable, chooseStrategy } from "./app-opening.ts";
import { BUILT_IN_OPENING_TABLE as TABLE } from "./built-in-app-opening.ts";

const SYSTEMS = ["ios", "android"] as const;

function opening(os: Device, app: string, appVersion: string | null = null) {
  const strategy = chooseStrategy(TABLE, { device: os, app, appVersion });
  return strategy === null ? null : [strategy.id, strategy.open, strategy.mode, strategy.escape];
}

describe("the built-in table", () => {
  it.each([
    ["instagram", ["scheme", "tap", "instagram"], ["intent", "auto", "instagram"]],
    ["tiktok", ["escape", "tap", "safari"], ["intent", "tap", null]],
    ["wechat", ["web", "tap", "by-hand"], ["web", "tap", "by-hand"]],
    ["browser", ["scheme", "auto", null], ["intent", "auto", null]],
  ])("opens from %s with the tested strategy", (app, ios, android) => {
    expect(opening("ios", app)).toEqual([`${app}-ios`, ...ios]);
    expect(opening("android", app)).toEqual([`${app}-android`, ...android]);
  });

  it.each([
    ["416.9.9", "instagram-ios-before-417"],
    ["417", "instagram-ios"],
    ["417.0.0.1", "instagram-ios"],
    ["1000", "instagram-ios"],
    [null, "instagram-ios"],
  ])("opens from Instagram %s by the strategy %s", (version, id) => {
    expect(opening("ios", "instagram", version)?.[0]).toBe(id);
  });

  it.each(["desktop", "assistant", "bot", "preview-crawler", "http-library"] as const)(
    "has no strategy for a %s",
    (device) => {
      expect(opening(device, "browser")).toBeNull();
      expect(opening(device, "instagram", "445.0")).toBeNull();
    },
  );
});

describe("AppOpeningTable", () => {
  const changed = (make: (table: AppOpeningTable) => void) => {
    const table = structuredClone(TABLE);
    make(table);
    return AppOpeningTable.safeParse(table).success;
  };
  const strategy = (table: AppOpeningTable, id: string) => {
    const found = table.rows.find((candidate) => candidate.id === id);
    if (found === undefined) throw new Error(`no strategy ${id}`);
    return found;
  };

  const change = (id: string, to: object) => (table: AppOpeningTable) => {
    Object.assign(strategy(table, id), to);
  };

  it("accepts a new strategy and a new version", () => {
    const isTaken = changed((table) => {
      table.version = "2026-12-01.b";
      table.rows.unshift({ ...strategy(table, "x-ios"), id: "x-ios-13", from: "13", open: "scheme" });
    });
    expect(isTaken).toBe(true);
  });

  it.each<[string, (table: AppOpeningTable) => void]>([
    ["a strategy that is there twice", (table) => table.rows.push(strategy(table, "x-ios"))],
    ["an app that is there twice", ({ apps }) => apps.push({ id: "x", markers: [], versionAfter: [] })],
    ["an app named like a browser", ({ apps }) => apps.push({ id: "browser", markers: [], versionAfter: [] })],
    ["a strategy of an unknown app", (table) => table.rows.push({ ...strategy(table, "x-ios"), id: "y", app: "y" })],
    ["an app that one system has no strategy for", change("x-android", { os: "ios" })],
    ["an app that only some versions have a strategy for", change("x-ios", { from: "2" })],
    ["a scheme on Android", change("x-android", { open: "scheme" })],
    ["an intent on iOS", change("x-ios", { open: "intent" })],
    ["an automatic escape", change("kakaotalk-ios", { mode: "auto" })],
    ["an automatic way to the web", change("x-ios", { mode: "auto" })],
    ["an escape that leads nowhere", change("x-ios", { open: "escape" })],
    ["an escape by hand as the first choice", change("wechat-ios", { open: "escape" })],
    ["an unknown field", change("x-ios", { url: "https://evil.example" })],
    ["no date", change("x-ios", { checked: "yesterday" })],
    ["a marker that every agent has", ({ apps }) => apps[0]?.markers.push({ text: "" })],
  ])("refuses %s", (_what, make) => {
    expect(changed(make)).toBe(false);
  });

  it("accepts only enum values, ids and versions from a hostile file", () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(`"><script>`, "javascript:alert(1)", "x-ios' onclick='", "a b", "../", "é"),
    );
    const paths = ["version", "id", "app", "os", "open", "mode", "escape"] as const;
    fc.assert(
      fc.property(hostile, fc.constantFrom(...paths), fc.nat(TABLE.rows.length - 1), (text, path, at) => {
        const table: unknown = structuredClone(TABLE);
        const target = path === "version" ? table : (table as AppOpeningTable).rows[at];
        Object.assign(target as object, { [path]: text });
        const parsed = AppOpeningTable.safeParse(table);
        if (!parsed.success) return;
        expect(parsed.data.version).toMatch(/^[a-z0-9.-]{1,32}$/);
        for (const { id, app, open, mode, escape: way } of parsed.data.rows) {
          expect(`${id} ${app}`).toMatch(/^[a-z0-9-]{1,40} [a-z0-9-]{1,40}$/);
          expect(["scheme", "intent", "escape", "web"]).toContain(open);
          expect(["auto", "tap"]).toContain(mode);
          expect([null, "safari", "instagram", "threads", "kakaotalk", "line", "by-hand"]).toContain(way);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("chooseStrategy", () => {
  it("has a strategy for every app on a phone, with any version", () => {
    const apps = [...TABLE.apps.map(({ id }) => id), "other-view", "browser"];
    const version = fc.oneof(fc.constant(null), fc.stringMatching(/^\d[\d.]{0,39}$/));
    fc.assert(
      fc.property(fc.constantFrom(...SYSTEMS), fc.constantFrom(...apps), version, (device, app, appVersion) => {
        const agent: UserAgent = { device, app, appVersion };
        expect(chooseStrategy(TABLE, agent)).toMatchObject({ os: device, app });
      }),
    );
  });
});

describe("escapeUrl", () => {
  const url = "https://go.example/l/abc2345";

  it.each([
    ["safari", `x-safari-${url}?tt_esc=1`],
    ["instagram", "instagram://extbrowser/?url=https%3A%2F%2Fgo.example%2Fl%2Fabc2345%3Ftt_esc%3D1"],
    ["threads", "barcelona://extbrowser/?url=https%3A%2F%2Fgo.example%2Fl%2Fabc2345%3Ftt_esc%3D1"],
    ["kakaotalk", "kakaotalk://web/openExternal?url=https%3A%2F%2Fgo.example%2Fl%2Fabc2345%3Ftt_esc%3D1"],
    ["line", `${url}?tt_esc=1&openExternalBrowser=1`],
    ["by-hand", null],
  ] as const)("leaves the in-app browser by %s, with the escape parameter", (kind, expected) => {
    expect(escapeUrl(kind, url)).toBe(expected);
  });

  it("keeps the visitor's parameters", () => {
    expect(escapeUrl("safari", `${url}?utm_source=ig`)).toBe(`x-safari-${url}?utm_source=ig&tt_esc=1`);
  });
});
