import { CALLS } from "@tapthru/proto/calls";
import { expect, it } from "vitest";
import { startApi } from "../testing/world.ts";

const api = await startApi({ EGRESS_STAND_IN_URL: "http://127.0.0.1:1" });

const UNSAFE = Object.values(CALLS).filter(({ method }) => (method as string) !== "GET");
const CONTENT_TYPES = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  null,
];

it.each(UNSAFE.map(({ method, path }) => [method, path]))(
  "%s %s refuses pages of other sites",
  async (method, path) => {
    const { host } = new URL(api.publicBaseUrl);
    const origins = [null, "null", "https://evil.example", `http://${host}.evil.example`];
    for (const type of CONTENT_TYPES) {
      for (const origin of origins) {
        const response = await fetch(api.url + path.replace(/:\w+/g, "2222222"), {
          method,
          headers: { cookie: "session=x", ...(type && { "content-type": type }), ...(origin && { origin }) },
          body: Buffer.from("{}"),
        });
        expect([type, origin, response.status]).toEqual([type, origin, 403]);
      }
    }
  },
);
