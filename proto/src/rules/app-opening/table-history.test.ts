import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AppOpeningStrategy } from "./app-opening.ts";
import { BUILT_IN_OPENING_TABLE } from "./built-in-app-opening.ts";
import { compareRows } from "./table-changes.ts";
import { builtInVersions, tableOrigins } from "./table-history.ts";

/**
 * Of the rows of each version. A changed table needs a version of its own, a step in table-steps.ts with what it
 * replaced, and a checksum here; the others never change.
 */
const CHECKSUMS = {
  "2026-11-27": "e36921e5b791bb5b",
  "2026-11-22": "13ac39841968ef05",
  "2026-11-20": "7e65042aee98fa4f",
};

const checksum = (rows: readonly AppOpeningStrategy[]) => {
  const lines = rows.map((row) => JSON.stringify(Object.entries(row).sort()));
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex").slice(0, 16);
};

const ROW: AppOpeningStrategy = {
  id: "x-ios",
  app: "x",
  os: "ios",
  open: "web",
  mode: "tap",
  escape: null,
  checked: "2026-11-20",
  source: "seen",
};

describe("the history of the built-in table", () => {
  it("ends with the table of this release, and has each version as it was", () => {
    const found = builtInVersions().map(({ version, rows }) => [version, checksum(rows)]);
    expect(Object.fromEntries(found)).toEqual(CHECKSUMS);
    expect(found[0]?.[0]).toBe(BUILT_IN_OPENING_TABLE.version);
  });

  it("has a step only for rows that differ", () => {
    for (const { changes, previous } of tableOrigins(BUILT_IN_OPENING_TABLE)) {
      expect(changes.length === 0).toBe(previous === null);
    }
  });
});

describe("tableOrigins", () => {
  it("says what each version changed, the newest first", () => {
    const [second, first] = tableOrigins(BUILT_IN_OPENING_TABLE).slice(-2);
    expect(second).toMatchObject({ version: "2026-11-22", previous: "2026-11-20" });
    expect(second?.changes.map(({ id }) => id)).toEqual([
      "x-ios",
      "browser-ios",
      "browser-android",
    ]);
    expect(second?.changes[0]?.fields[0]).toEqual({
      field: "checked",
      from: "2025-11-30",
      to: "2026-11-22",
    });
    expect(first).toEqual({ version: "2026-11-20", previous: null, changes: [] });
  });

  it("compares a table of the operator with the one of this release", () => {
    const canary = { ...ROW, id: "x-ios-canary", percent: 10 };
    const rows = [...BUILT_IN_OPENING_TABLE.rows, canary];
    const [own, ...builtIn] = tableOrigins({ version: "own-1", rows });
    expect(own).toMatchObject({ version: "own-1", previous: BUILT_IN_OPENING_TABLE.version });
    expect(own?.changes).toMatchObject([{ kind: "added", id: "x-ios-canary" }]);
    expect(builtIn).toEqual(tableOrigins(BUILT_IN_OPENING_TABLE));
  });
});

describe("compareRows", () => {
  const names = { id: "x-ios", app: "x", os: "ios" };

  it("lists the fields that changed, also those that a row gained or lost", () => {
    expect(compareRows([{ ...ROW, below: "12" }], [{ ...ROW, mode: "auto", from: "12" }])).toEqual([
      {
        ...names,
        kind: "changed",
        fields: [
          { field: "mode", from: "tap", to: "auto" },
          { field: "from", from: null, to: "12" },
          { field: "below", from: "12", to: null },
        ],
      },
    ]);
  });

  it("lists added rows with their fields, and removed ones", () => {
    expect(compareRows([ROW], [])).toEqual([{ ...names, kind: "removed", fields: [] }]);
    expect(compareRows([], [ROW])).toEqual([
      {
        ...names,
        kind: "added",
        fields: [
          { field: "open", from: null, to: "web" },
          { field: "mode", from: null, to: "tap" },
          { field: "checked", from: null, to: "2026-11-20" },
          { field: "source", from: null, to: "seen" },
        ],
      },
    ]);
  });

  it("finds nothing in equal rows in another order", () => {
    const other = { ...ROW, id: "x-android" };
    expect(compareRows([ROW, other], [{ ...other }, { ...ROW }])).toEqual([]);
  });
});
