import { estimateVisitors, mergeSketches, registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { createClientAddress } from "../country/client-address.ts";
import { createVisitRequests } from "../visit-request.ts";
import { hashText } from "./visitor-hash.ts";

describe("the hash of a visitor", () => {
  const seeds = hashText("salt", { first: 1, second: 2 });
  const estimate = (texts: readonly string[]) => {
    const registers = texts.map((text) => {
      const { first, second } = hashText(text, seeds);
      return registerOf(first, second);
    });
    return estimateVisitors([mergeSketches([], registers)]);
  };

  it.each([
    ["consecutive addresses", (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`],
    ["networks", (i: number) => `${(i >> 8) & 255}.${i & 255}.${i >> 16}.1`],
    ["IPv6 addresses", (i: number) => `2001:db8:${i.toString(16)}::1`],
  ])("is spread evenly for %s", (_name, address) => {
    for (const count of [1_000, 20_000, 60_000]) {
      const found = estimate(Array.from({ length: count }, (_, i) => address(i)));
      expect(Math.abs(found - count) / count).toBeLessThan(0.025);
    }
  });

  it("depends on the salt", () => {
    const other = hashText("another salt", { first: 1, second: 2 });
    expect(hashText("192.0.2.1", other)).not.toEqual(hashText("192.0.2.1", seeds));
  });
});

describe("the address of a client", () => {
  it.each(["loopback", "10.0.0.0/8"])("is that of Fastify if it trusts %s", async (trusted) => {
    const addressOf = createClientAddress();
    const app = Fastify({ trustProxy: [trusted] });
    const Request = createVisitRequests([trusted]);
    app.get("/", (request) => [addressOf(new Request(request.raw)), request.ip]);
    const forwarded = [
      undefined,
      "203.0.113.1",
      "203.0.113.2",
      "127.0.0.1",
      "10.1.1.1",
      "203.0.113.3, 10.1.1.1",
      " 203.0.113.4",
      "not an address",
    ];
    for (const remoteAddress of ["127.0.0.1", "10.2.2.2", "198.51.100.1"]) {
      for (const value of [...forwarded, ...forwarded]) {
        const headers = value === undefined ? {} : { "x-forwarded-for": value };
        const response = await app.inject({ url: "/", remoteAddress, headers });
        const [found, expected] = response.json();
        expect([remoteAddress, value, found]).toEqual([remoteAddress, value, expected]);
      }
    }
    await app.close();
  });
});
