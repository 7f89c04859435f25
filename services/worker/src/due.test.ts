import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import { beforeEach, expect, it, vi } from "vitest";
import { type DueKind, workOff } from "./due.ts";
import { useDatabase } from "./testing/test-database.ts";

const database = await useDatabase();
let lines: LogLine[];
let due: string[];
let done: string[];
let stopping: AbortController;

beforeEach(() => {
  due = [];
  done = [];
  stopping = new AbortController();
});

interface TestApp {
  db: typeof database.db;
  logger: ReturnType<typeof createTestLogger>["logger"];
}
type Letters = DueKind<TestApp, string>;
const claim: Letters["claim"] = async (_app, { limit }) => due.splice(0, limit);
const keyOf = (letter: string) => letter.charAt(0);

function round(kind: Letters): Promise<void> {
  const log = createTestLogger();
  lines = log.lines;
  return workOff({ db: database.db, logger: log.logger }, "letters", kind, stopping.signal);
}

it("claims again as long as the limit is reached", async () => {
  due = ["a", "b", "c", "d", "e"];
  const work = async (_app: TestApp, letter: string) => {
    done.push(letter);
    // Until the next round.
    if (letter === "e") due = ["f"];
  };
  await round({ everyMs: 1, limit: 2, claim, keyOf, work });
  expect([done, due]).toEqual([["a", "b", "c", "d", "e"], ["f"]]);
});

it("works on all rows together, and on those of each key if that fails", async () => {
  due = ["a1", "b1", "a2"];
  const workOnAll = async (_app: TestApp, letters: readonly string[]) => {
    if (letters.includes("b1")) throw new Error("broken");
    done.push(letters.join());
  };
  await round({ everyMs: 1, claim, keyOf, workOnAll });
  expect(done).toEqual(["a1,a2"]);
  expect(lines).toMatchObject([{ event: "item_failed", kind: "letters", key: "b" }]);
});

it("starts the next row when one ends, so that a slow row delays no other one", async () => {
  due = ["a", "b", "c", "d"];
  const slow = Promise.withResolvers<void>();
  const work = async (_app: TestApp, letter: string) => {
    if (letter === "a") await slow.promise;
    done.push(letter);
  };
  const ended = round({ everyMs: 1, atOnce: 2, claim, keyOf, work });
  await vi.waitFor(() => expect(done).toEqual(["b", "c", "d"]));
  due = ["e"];
  await vi.waitFor(() => expect(done).toContain("e"));
  slow.resolve();
  await ended;
  expect(done.at(-1)).toBe("a");
});

it("waits for rows in progress when the worker stops, and claims no more", async () => {
  due = ["a", "b", "c"];
  const released = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const work: (app: TestApp, letter: string, due: { signal: AbortSignal }) => Promise<void> = async (...args) => {
    signals.push(args[2].signal);
    await released.promise;
    done.push(args[1]);
  };
  const ended = round({ everyMs: 1, atOnce: 2, claim, keyOf, work });
  await vi.waitFor(() => expect(signals).toHaveLength(2));
  stopping.abort();
  released.resolve();
  await ended;
  expect([done.toSorted(), due]).toEqual([["a", "b"], ["c"]]);
});

it("rejects while Postgres is unavailable, and quarantines no row", async () => {
  due = ["a", "b"];
  const work = async (_app: TestApp, letter: string) => {
    if (letter === "a") throw new PostgresUnavailableError("down");
    done.push(letter);
  };
  await expect(round({ everyMs: 1, atOnce: 2, claim, keyOf, work })).rejects.toThrow("down");
  expect(done).toEqual(["b"]);
  expect(await database.rows("SELECT FROM failed_items")).toEqual([]);
});
