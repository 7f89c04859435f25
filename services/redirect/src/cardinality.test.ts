import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { startWorld } from "./testing/start-world.ts";
import { ANDROID, CRAWLER, DESKTOP, IPHONE, liveRecord, newCode } from "./testing/test-service.ts";

const { app, context } = await startWorld({ rateLimits: "off" });

const LINKS = 600;
const METHODS = ["GET", "HEAD", "POST", "PURGE", "PROPFIND", "M-SEARCH"] as const;
const AGENTS = [IPHONE, ANDROID, DESKTOP, CRAWLER];
const randomTexts: string[] = [];
function randomText(): string {
  const text = randomBytes(6).toString("hex");
  randomTexts.push(text);
  return text;
}

/** Requests each link with new agents, paths, queries and various methods. */
async function visit(codes: readonly string[]): Promise<void> {
  await Promise.all(
    codes.map(async (code, i) => {
      const headers = { "user-agent": `${AGENTS[i % AGENTS.length]} ${randomText()}/${i}` };
      const method = METHODS[i % METHODS.length] as "GET";
      const urls = [
        `/l/${code}?x=${randomText()}`,
        `/l/${randomText()}`,
        `/${randomText()}/${randomText()}`,
        `/redirect?product_id=${randomText()}`,
        `/l/${code}/outcome`,
      ];
      await app.inject({ url: urls[0] as string, headers });
      await app.inject({ method, url: urls[i % urls.length] as string, headers });
    }),
  );
}

it("requests for 600 links with as many agents, paths and codes make few time series", async () => {
  const codes = Array.from({ length: LINKS }, newCode);
  await context.redirectStore.putMany(codes.map((shortCode) => ({ shortCode, record: liveRecord() })));
  for (let i = 0; i < LINKS; i += 300) await visit(codes.slice(i, i + 300));
  await context.redirectStore.deleteMany(codes);
  const metrics = await context.registry.metrics();
  const series = metrics.split("\n").filter((line) => line.startsWith("tapthru_"));
  const sent = [...codes, ...randomTexts];
  expect(series.length).toBeGreaterThan(100);
  expect(series.length).toBeLessThan(1_000);
  const text = series.join("\n");
  expect(sent.filter((value) => text.includes(value))).toEqual([]);
});
