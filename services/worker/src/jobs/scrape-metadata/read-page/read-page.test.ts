import { once } from "node:events";
import { hugePage, tagFlood } from "@tapthru/amazon-stand-in/page-bytes";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readPage, startParser } from "./read-page.ts";

/** Test timeout in milliseconds. Parsing a hostile page is aborted after seconds, and the machine may be busy. */
const TEST_TIMEOUT_MS = 60_000;
const NEVER = new AbortController().signal;

const read = (html: string, signal = NEVER, deadlineMs?: number) =>
  readPage(
    {
      status: 200,
      contentType: "text/html",
      bytes: Buffer.from(html).subarray(0, FETCH_MAX_BYTES),
    },
    signal,
    deadlineMs,
  );
const LAMP = '<span id="productTitle">Lamp</span>';

describe("readPage", () => {
  it("reads an ordinary page", { timeout: TEST_TIMEOUT_MS }, async () => {
    expect(await read(LAMP)).toMatchObject({ kind: "read", metadata: { title: "Lamp" } });
  });

  it("reads an ordinary page of maximum size", { timeout: TEST_TIMEOUT_MS }, async () => {
    expect(await read(hugePage(LAMP), NEVER, TEST_TIMEOUT_MS)).toMatchObject({
      metadata: { title: "Lamp" },
    });
  });

  it.each(["<div>", "<p>", "<b><table>"])(
    "aborts 2 MiB of %s, and reads the next page",
    { timeout: TEST_TIMEOUT_MS },
    async (tags) => {
      expect(await read(tagFlood(tags))).toEqual({ kind: "nothing", outcome: "unreadable" });
      expect(await read(LAMP)).toMatchObject({ kind: "read" });
    },
  );

  it("reads or aborts a page with very many Open Graph tags", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    expect(await read(tagFlood('<meta property="og:image" content="x">'))).toHaveProperty("kind");
  });

  it("does not block other work", { timeout: TEST_TIMEOUT_MS }, async () => {
    const abortedRead = read(tagFlood("<div>")).then(() => "given up");
    let ticks = 0;
    const tickTimer = setInterval(() => ticks++, 1);
    const first = await Promise.race([
      abortedRead,
      expect.poll(() => ticks, { timeout: TEST_TIMEOUT_MS }).toBeGreaterThan(20),
    ]);
    clearInterval(tickTimer);
    expect(first).not.toBe("given up");
    expect(await abortedRead).toBe("given up");
  });

  it("stops when it is aborted", { timeout: TEST_TIMEOUT_MS }, async () => {
    const stopping = new AbortController();
    const reading = read(tagFlood("<div>"), stopping.signal);
    stopping.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
    await expect(read(LAMP, stopping.signal)).rejects.toThrow("stop");
  });
});

const REPORT = new URL("./testing/report-environment.ts", import.meta.url);
/** What macOS adds to the environment of every process. */
const SYSTEM_VARIABLES = ["__CF_USER_TEXT_ENCODING"];

it("gives the process that parses a page none of the worker's environment", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://worker:canary@127.0.0.1/tapthru");
  vi.stubEnv("REDIS_QUEUE_URL", "redis://:canary@127.0.0.1");
  vi.stubEnv("AMAZON_CREATORS_CLIENT_SECRET", "canary");
  onTestFinished(() => void vi.unstubAllEnvs());
  const child = startParser(REPORT, new AbortController().signal);
  onTestFinished(() => void child.kill("SIGKILL"));

  const [environment] = await once(child, "message");

  const names = Object.keys(environment).filter((name) => !SYSTEM_VARIABLES.includes(name));
  expect(names).toEqual([]);
});
