import { describe, expect, it } from "vitest";
import { gatewayForTest } from "../testing/start-gateway.ts";
import { lessThanPattern } from "./nginx-conf.ts";

const HOUR_MS = 60 * 60 * 1_000;

describe("the access log", () => {
  it.each([
    ["contains the address of each client until the configured time", HOUR_MS, "203.0.113.9"],
    ["contains no address after that time", -HOUR_MS, undefined],
  ])("%s", async (_title, aheadMs, address) => {
    const gateway = await gatewayForTest({
      trustedProxies: ["127.0.0.1"],
      addressesLoggedUntilMs: Date.now() + aheadMs,
    });
    const headers = { "X-Forwarded-For": "203.0.113.9", Cookie: "secret=1" };
    await gateway.send("/l/abc2345?secret", { headers });

    const lines = await gateway.accessLog(1);

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines.join())).toMatchObject({ path: "/l/abc2345", status: 200 });
    expect(JSON.parse(lines.join()).clientAddress).toBe(address);
    expect(lines.join()).not.toMatch(/secret|127[.]0[.]0[.]1/);
  });
});

it.each([1_763_712_000, 1_700_000_000, 1_999_999_999])("matches the seconds before %i", (limit) => {
  const pattern = new RegExp(`^${lessThanPattern(limit)}[.]`);
  const distances = Array.from({ length: 60 }, (_, power) => Math.floor(1.35 ** power));
  for (const distance of distances) {
    expect(pattern.test(`${limit - distance}.123`), `${limit} - ${distance}`).toBe(true);
    expect(pattern.test(`${limit + distance}.123`), `${limit} + ${distance}`).toBe(false);
  }
  expect(pattern.test(`${limit}.000`)).toBe(false);
});
