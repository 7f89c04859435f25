import { describe, expect, it } from "vitest";
import { startApi } from "../testing/world.ts";

const api = await startApi({ PUBLIC_BASE_URL: "https://tap.example" });

async function visit(headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/api/visitor`, { headers });
  return { response, cookies: response.headers.getSetCookie() };
}

describe("GET /api/visitor", () => {
  it("sets a claim cookie that is bound to the host on an https site", async () => {
    const { response, cookies } = await visit();
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect(cookies).toEqual([
      expect.stringMatching(/^__Host-claim=[\w-]{43}; path=\/; expires=.*; samesite=lax; secure; httponly$/i),
    ]);
  });

  it("keeps an existing claim cookie", async () => {
    const cookie = (await visit()).cookies[0]?.split(";")[0] ?? "";
    expect((await visit({ cookie })).cookies).toEqual([]);
  });

  it.each(["claim=x", "__Host-claim=", "__Host-claim=too-short", `__Host-claim=${"x".repeat(44)}`])(
    "replaces %s",
    async (cookie) => {
      expect((await visit({ cookie })).cookies).toHaveLength(1);
    },
  );
});
