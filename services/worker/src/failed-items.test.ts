import { type ItemLoop, processEach, registerFailedItems } from "@tapthru/core/platform/failed-items";
import { PostgresTimeoutError, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { Registry } from "prom-client";
import { beforeEach, describe, expect, it } from "vitest";
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

async function work(item: string): Promise<void> {
  if (item in failures) throw failures[item];
  done.push(item);
}
const round = (...items: string[]) => processEach(loop, items, (item) => item, work);
const failed = () => database.rows("SELECT kind, key, error, attempts FROM failed_items ORDER BY key");
const nextAttempt = () => database.rows("UPDATE failed_items SET retry_at = now() WHERE retry_at > now()");

describe("an item that fails", () => {
  it("quarantines an item with its error", async () => {
    failures = { a: new Error("broken\0", { cause: new Error("x".repeat(1_000)) }) };
    await round("a", "b");
    expect(done).toEqual(["b"]);
    const error = `broken (${"x".repeat(492)}`;
    expect(await failed()).toEqual([{ kind: "letters", key: "a", error, attempts: 1 }]);
    expect(lines.at(-1)).toMatchObject({ event: "item_failed", kind: "letters", key: "a" });
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

  it("quarantines an item whose statement took too long", async () => {
    failures = { a: new PostgresTimeoutError("too long") };
    await round("a", "b");
    expect([done, await failed()]).toMatchObject([["b"], [{ key: "a" }]]);
  });

  it("counts failed items in metrics", async () => {
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
  it("rejects while a store is unavailable, and sets nothing aside", async () => {
    failures = { a: new PostgresUnavailableError("down") };
    await expect(round("a", "b")).rejects.toThrow("down");
    expect([done, await failed()]).toEqual([[], []]);
  });

  it("an aborted round quarantines nothing", async () => {
    const aborting = new AbortController();
    loop.signal = aborting.signal;
    const stop = async () => {
      aborting.abort();
      aborting.signal.throwIfAborted();
    };
    await expect(processEach(loop, ["a", "b"], (item) => item, stop)).rejects.toThrow();
    await round("c");
    expect([done, await failed()]).toEqual([[], []]);
  });
});
