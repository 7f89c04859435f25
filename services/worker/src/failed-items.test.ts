import {
  allOrEachItem,
  forEachItem,
  type ItemLoop,
  isNotSetAside,
  registerFailedItems,
} from "@tapthru/core/platform/failed-items";
import { PostgresTimeoutError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { Registry } from "prom-client";
import { sql } from "slonik";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { useDatabase } from "./testing/test-database.ts";

const database = await useDatabase();
let loop: ItemLoop;
let done: string[];
let failures: Record<string, unknown>;
const { logger, lines } = createTestLogger();

beforeEach(async () => {
  loop = { db: database.db, logger, kind: "letters", signal: new AbortController().signal };
  done = [];
  failures = {};
});

async function work(item: string): Promise<unknown> {
  if (item in failures) throw failures[item];
  done.push(item);
  return item !== "last";
}
const round = (...items: string[]) => forEachItem(loop, items, (item) => item, work);
const failed = () => database.rows("SELECT kind, key, error, attempts FROM failed_items ORDER BY key");
const nextAttempt = () => database.rows("UPDATE failed_items SET retry_at = now() WHERE retry_at > now()");

describe("an item that fails", () => {
  it("is set aside with its error, and the others are done in the same round", async () => {
    failures = { a: new Error("broken\0", { cause: new Error("x".repeat(1_000)) }) };
    await round("a", "b");
    expect(done).toEqual(["b"]);
    const error = `broken (${"x".repeat(492)}`;
    expect(await failed()).toEqual([{ kind: "letters", key: "a", error, attempts: 1 }]);
    expect(lines.at(-1)).toMatchObject({ event: "item_failed", kind: "letters", key: "a" });
  });

  it("is skipped until its next attempt, also by statements that select items", async () => {
    failures = { a: "no error", b: "no error" };
    await round("a", "b");
    await database.rows("UPDATE failed_items SET retry_at = now() WHERE key = 'b'");
    failures = {};
    const selected = await database.db.anyFirst(sql.type(z.object({ item: z.string() }))`
      SELECT item FROM unnest(ARRAY['a', 'b', 'c']) AS item
      WHERE ${isNotSetAside("letters", sql.fragment`item`)}
    `);
    expect(selected).toEqual(["b", "c"]);
    await round("a", "b", "c");
    expect(done).toEqual(["b", "c"]);
    expect(await failed()).toMatchObject([{ key: "a" }]);
    await nextAttempt();
    await round("a");
    expect(await failed()).toEqual([]);
  });

  it("waits longer each time, at most six hours", async () => {
    failures = { a: new Error("broken") };
    const minutes: unknown[] = [];
    for (let attempt = 1; attempt <= 12; attempt++) {
      await nextAttempt();
      await round("a");
      const [row] = await database.rows(
        "SELECT round(extract(epoch FROM retry_at - now()) / 60)::int AS minutes FROM failed_items",
      );
      minutes.push(row?.minutes);
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
  });

  it("of a statement that took too long is set aside too", async () => {
    failures = { a: new PostgresTimeoutError("too long") };
    await round("a", "b");
    expect([done, await failed()]).toMatchObject([["b"], [{ key: "a" }]]);
  });

  it("of many that are done at once is found by doing each on its own", async () => {
    failures = { a: new Error("broken") };
    const all = async (items: readonly string[]) => {
      for (const item of items) await work(item);
    };
    const round = () => allOrEachItem(loop, ["a", "b", "c"], (item) => item, all);
    await round();
    await round();
    expect([done, await failed()]).toMatchObject([["b", "c", "b", "c"], [{ key: "a", attempts: 1 }]]);
    failures = {};
    await nextAttempt();
    await round();
    expect(await failed()).toEqual([]);
  });

  it("is counted in metrics", async () => {
    const registry = new Registry();
    registerFailedItems(registry, { db: database.db, logger });
    failures = { a: new Error("broken") };
    await round("a");
    expect(await registry.metrics()).toContain('tapthru_failed_items{kind="letters"} 1');
    await database.rows("DELETE FROM failed_items");
    expect(await registry.metrics()).not.toContain("tapthru_failed_items{");
  });
});

describe("a round", () => {
  it("ends when the work says so", async () => {
    await round("last", "b");
    expect(done).toEqual(["last"]);
  });

  it("rejects while a store is unavailable, and sets nothing aside", async () => {
    failures = { a: new PostgresUnavailableError("down") };
    await expect(round("a", "b")).rejects.toThrow("down");
    expect([done, await failed()]).toEqual([[], []]);
  });

  it("that is aborted sets nothing aside", async () => {
    const aborting = new AbortController();
    loop.signal = aborting.signal;
    const stop = async () => {
      aborting.abort();
      aborting.signal.throwIfAborted();
    };
    await expect(forEachItem(loop, ["a", "b"], (item) => item, stop)).rejects.toThrow();
    await round("c");
    expect([done, await failed()]).toEqual([[], []]);
  });
});
