import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { createVisitRequests } from "./visit-request.ts";

const FORWARDED = [
  undefined,
  "",
  "203.0.113.1",
  "203.0.113.2",
  "127.0.0.1",
  "10.1.1.1",
  "203.0.113.3, 10.1.1.1",
  " 203.0.113.4",
  "not an address",
  "not-an-address",
];

describe("the address of a visitor", () => {
  it.each(["loopback", "10.0.0.0/8"])("is that of Fastify if it trusts %s", async (trusted) => {
    const app = Fastify({ trustProxy: [trusted] });
    const Request = createVisitRequests([trusted]);
    app.get("/", (request) => [new Request(request.raw).ip, request.ip]);
    for (const remoteAddress of ["127.0.0.1", "10.2.2.2", "198.51.100.1"]) {
      for (const value of [...FORWARDED, ...FORWARDED]) {
        const headers = value === undefined ? {} : { "x-forwarded-for": value };
        const response = await app.inject({ url: "/", remoteAddress, headers });
        const [found, expected] = response.json();
        expect([remoteAddress, value, found]).toEqual([remoteAddress, value, expected]);
      }
    }
    await app.close();
  });
});
