import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import type { SafeFetchRequest } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { describe, expect, it } from "vitest";
import { NEVER } from "../../testing/test-database.ts";
import { CAPTCHA, LAMP_READ, productPage, testSource } from "../../testing/test-source.ts";
import { chooseMetadataSource } from "./choose-source.ts";
import { postponementDelay, refreshDelay, retryDelay } from "./delays.ts";
import { type Outcome, type PageRef, type ReadResult, readResultFromError } from "./source.ts";
import {
  backoffRemainingMs,
  createThrottledSource,
  type HostBackoff,
  INITIAL_BACKOFF,
  nextBackoff,
} from "./throttled-source.ts";

const { signal } = new AbortController();

it("classifies an unreachable host as unreachable, and a refused URL as permanently unsupported", () => {
  const result = (code: "refused-url" | "unreachable") => readResultFromError(new SafeFetchError(code), signal);
  expect(result("unreachable")).toEqual({ kind: "nothing", outcome: "unreachable" });
  expect(result("refused-url")).toMatchObject({ outcome: "unsupported", lasting: true });
});

it("throws an error that the request did not cause", () => {
  const error = new TypeError("no such property");
  expect(() => readResultFromError(error, signal)).toThrow(error);
});

it("throws the reason of an abort, regardless of the error of the request", () => {
  const stop = new Error("the worker stops");
  const error = new SafeFetchError("timeout");
  expect(() => readResultFromError(error, AbortSignal.abort(stop))).toThrow(stop);
});

const PAGE: PageRef = {
  canonicalUrl: "https://www.amazon.de/dp/B08N5WRWNW",
  marketplace: "de",
  productId: "B08N5WRWNW",
};
const CREDENTIALS = { clientId: "id", clientSecret: "secret", version: "3.2", partnerTags: { de: "me-21" } } as const;

async function purposes(choice: Omit<Parameters<typeof chooseMetadataSource>[0], "safeFetch">) {
  const requests: SafeFetchRequest[] = [];
  const source = chooseMetadataSource({
    ...choice,
    safeFetch: async (request) => {
      requests.push(request);
      throw new SafeFetchError("unreachable");
    },
  });
  await source?.read(PAGE, new AbortController().signal);
  return source && requests.map(({ purpose }) => purpose);
}

it.each([
  ["reads pages without credentials", null, true, ["store"]],
  ["uses only the API with credentials", CREDENTIALS, true, ["creators-api"]],
  ["needs no page if it has credentials", CREDENTIALS, false, ["creators-api"]],
  ["has no source if pages are not fetched", null, false, null],
] as const)("the worker %s", async (_, credentials, fetchesPages, expected) => {
  expect(await purposes({ credentials, fetchesPages })).toEqual(expected);
});

const pageIn = (marketplace: PageRef["marketplace"]) => productPage("B0CX23V2ZK", marketplace);

function throttled(readPage: (page: PageRef) => ReadResult | Promise<ReadResult>, concurrency = 2) {
  const clock = { now: 0 };
  const requested: string[] = [];
  const source = createThrottledSource(
    testSource(async (page) => {
      requested.push(page.canonicalUrl);
      return readPage(page);
    }),
    { concurrency, hostOf: ({ marketplace }) => marketplace, now: () => clock.now },
  );
  return { source, requested, clock };
}

describe("a throttled source", () => {
  it("limits concurrent reads, and reads all pages", async () => {
    const gate = Promise.withResolvers<ReadResult>();
    const { source, requested } = throttled(() => gate.promise);
    const results = Array.from({ length: 5 }, () => source.read(pageIn("de"), NEVER));
    await expect.poll(() => requested.length).toBe(2);
    gate.resolve(LAMP_READ);
    expect(await Promise.all(results)).toEqual(Array.from({ length: 5 }, () => LAMP_READ));
    expect(requested).toHaveLength(5);
  });

  it("continues after an error of its source", async () => {
    const { source } = throttled(() => {
      throw new Error("no process");
    }, 1);
    await expect(source.read(pageIn("de"), NEVER)).rejects.toThrow("no process");
    await expect(source.read(pageIn("de"), NEVER)).rejects.toThrow("no process");
  });

  it("pauses requests to a host that refuses, and to no other host", async () => {
    const { source, requested, clock } = throttled(({ marketplace }) => (marketplace === "de" ? CAPTCHA : LAMP_READ));
    for (let i = 0; i < 5; i++) expect(await source.read(pageIn("de"), NEVER)).toEqual(CAPTCHA);
    expect(await source.read(pageIn("de"), NEVER)).toEqual({ kind: "postponed", retryInMs: 60_000 });
    expect(await source.read(pageIn("fr"), NEVER)).toEqual(LAMP_READ);
    expect(requested).toHaveLength(6);
    clock.now = 60_000;
    expect(await source.read(pageIn("de"), NEVER)).toEqual(CAPTCHA);
    expect(await source.read(pageIn("de"), NEVER)).toEqual({ kind: "postponed", retryInMs: 120_000 });
  });

  it("requests nothing for callers that aborted while waiting", async () => {
    const gate = Promise.withResolvers<ReadResult>();
    const { source, requested } = throttled(() => gate.promise, 1);
    const stopping = new AbortController();
    const first = source.read(pageIn("de"), NEVER);
    const second = source.read(pageIn("de"), stopping.signal);
    stopping.abort(new Error("stop"));
    gate.resolve(LAMP_READ);
    await expect(second).rejects.toThrow("stop");
    await first;
    expect(requested).toHaveLength(1);
  });
});

const MINUTE = 60_000;
const nothing = (outcome: Outcome): ReadResult => ({ kind: "nothing", outcome });

function after(results: ReadResult[], backoff = INITIAL_BACKOFF): HostBackoff {
  return results.reduce((backoff, result) => nextBackoff(backoff, result, backoff.until), backoff);
}
const captchas = (count: number) => Array.from({ length: count }, () => CAPTCHA);

describe("a host", () => {
  it("doubles the backoff after each further refusal, up to an hour", () => {
    let backoff = after(captchas(4));
    const backoffMinutes = Array.from({ length: 9 }, () => {
      const before = backoff.until;
      backoff = nextBackoff(backoff, CAPTCHA, before);
      return (backoff.until - before) / MINUTE;
    });
    expect(backoffMinutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it.each(["captcha", "error-page", "refused"] as const)("counts as refusing after %s", (outcome) => {
    expect(backoffRemainingMs(after([...captchas(4), nothing(outcome)]), 0)).toBeGreaterThan(0);
  });

  it.each(["consent", "gone", "leads-elsewhere", "too-slow", "unreachable", "unreadable"] as const)(
    "keeps its number of refusals after %s",
    (outcome) => {
      expect(backoffRemainingMs(after([...captchas(4), nothing(outcome)]), 0)).toBe(0);
      expect(backoffRemainingMs(after([...captchas(4), nothing(outcome), CAPTCHA]), 0)).toBeGreaterThan(0);
    },
  );

  it("ends the backoff after one page was read", () => {
    expect(after([...captchas(12), LAMP_READ])).toEqual(INITIAL_BACKOFF);
    expect(backoffRemainingMs(after([...captchas(4), LAMP_READ, ...captchas(4)]), 0)).toBe(0);
  });

  it("keeps its backoff after responses to earlier requests", () => {
    const current = nextBackoff(after(captchas(4)), CAPTCHA, 0);
    expect(nextBackoff(current, CAPTCHA, MINUTE - 1)).toEqual(current);
  });
});

const RANDOM = [0, 0.5, 0.999];

it("the delay of a retry grows with each attempt, with any jitter", () => {
  for (let attempts = 2; attempts <= 8; attempts++) {
    const before = retryDelay(attempts - 1, 0.999);
    expect(retryDelay(attempts, 0)).toBeGreaterThan(before);
  }
});

it("the delay of a retry is about a minute at first", () => {
  expect(RANDOM.map((random) => retryDelay(1, random))).toEqual([45_000, 60_000, 74_970]);
});

it("the delay of a retry is a month from the eighth attempt on", () => {
  const months = [8, 9, Number.POSITIVE_INFINITY].map((attempts) => retryDelay(attempts, 0.5));
  expect(months).toEqual(Array(3).fill(30 * 86_400_000));
});

it("a postponed page is retried with jitter, and not early", () => {
  expect(RANDOM.map((random) => postponementDelay(1_000, random))).toEqual([1_000, 31_000, 60_940]);
});

it("metadata is refreshed before it is stale", () => {
  expect(RANDOM.map((random) => refreshDelay(1_000, random))).toEqual([1_000, 900, 800]);
});
