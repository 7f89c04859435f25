import type { Call, Documentation } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { ERRORS } from "@tapthru/proto/errors";
import * as identity from "@tapthru/proto/identity";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import * as shlink from "@tapthru/proto/shlink";
import { beforeAll, expect, it } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada } = await startWorld({ EGRESS_STAND_IN_URL: "http://127.0.0.1:1" });
let key: string;
beforeAll(async () => {
  ({ key } = await addKey(api, ada));
});

const isCall = (value: unknown): value is Call => typeof value === "object" && value !== null && "replies" in value;
const scopesOf = ({ access, credentials }: Call & Partial<Documentation>) =>
  (credentials?.flat() ?? [access]).filter((each) => API_KEY_SCOPES.some((scope) => scope === each));
const ALL: unknown[] = [...Object.values(CALLS), ...Object.values(identity), ...Object.values(shlink)];
// Those of assistants: oauth/oauth.test.ts.
const CHANGING = ALL.filter(isCall)
  // There is no OpenID provider here.
  .filter(({ method, path }) => method !== "GET" && !path.includes("open-id"))
  .map((call): [string, string, boolean] => [call.method, call.path, scopesOf(call).length > 0]);

const CONTENT_TYPES = ["application/json", "text/plain", "application/x-www-form-urlencoded", null];

async function send(method: string, path: string, headers: Record<string, string>) {
  const response = await fetch(api.url + path.replace(/:\w+/g, "2222222"), {
    method,
    headers,
    body: method === "GET" ? null : Buffer.from("{}"),
  });
  return { isRefused: (await response.text()).includes(ERRORS["bad-origin"].message), headers: response.headers };
}

it.each(CHANGING)("%s %s refuses pages of other sites, also without a cookie", async (method, path) => {
  const { host } = new URL(api.publicBaseUrl);
  for (const type of CONTENT_TYPES) {
    for (const origin of [
      null,
      "null",
      "https://evil.example",
      `http://${host}.evil.example`,
      `https://${host}`,
      `http://${host}1`,
    ]) {
      for (const cookie of [null, "session=x"]) {
        if (origin === null && cookie === null) continue;
        const { isRefused } = await send(method, path, {
          ...(cookie && { cookie }),
          ...(type && { "content-type": type }),
          ...(origin && { origin }),
        });
        expect([type, origin, cookie, isRefused]).toEqual([type, origin, cookie, true]);
      }
    }
  }
});

it.each(CHANGING)(
  "%s %s can be called from elsewhere with a key, if it takes keys: %s",
  async (method, path, takesKeys) => {
    const origin = "https://blog.example";
    for (const text of ["tt_x", key]) {
      for (const headers of [{ authorization: `Bearer ${text}` }, { "x-api-key": text }] as Record<string, string>[]) {
        const isShlink = path.startsWith("/rest");
        if ("x-api-key" in headers && !isShlink) continue;
        const { isRefused, ...reply } = await send(method, path, {
          origin,
          "content-type": "application/json",
          ...headers,
        });
        const isReadable = reply.headers.get("access-control-allow-origin") === "*";
        expect([text, isRefused, isReadable]).toEqual([text, !takesKeys, takesKeys]);
        const withCookie = await send(method, path, { origin, cookie: "session=x", ...headers });
        expect([text, withCookie.isRefused]).toEqual([text, true]);
      }
    }
  },
);

it("accepts the origin of the site with a cookie, a script without both, and reads from any site", async () => {
  const isRefused = async (method: string, headers: Record<string, string>) =>
    (await send(method, "/api/logout", headers)).isRefused;
  const cookie = "session=x";
  expect(await isRefused("POST", { origin: api.publicBaseUrl, cookie })).toBe(false);
  expect(await isRefused("POST", {})).toBe(false);
  expect(await isRefused("GET", { origin: "https://evil.example", cookie })).toBe(false);
});
