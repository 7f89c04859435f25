import {
  OTHER_CRAWLER_NAMES,
  PREVIEW_CRAWLER_NAMES,
  PREVIEW_CRAWLER_STARTS,
} from "@tapthru/proto/rules/agents/crawlers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Question } from "./testing/ask.ts";
import { type RunningGateway, startGateway } from "./testing/start-gateway.ts";

const DEEP_LINK =
  "/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fwww.amazon.de%2F%3Fq%3D%2527";

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

async function answerer(agent: string | undefined, path = DEEP_LINK): Promise<string> {
  const headers = agent === undefined ? {} : { "User-Agent": agent };
  const { text } = await ask(`${gateway.url}${path}`, { headers });
  return text.startsWith("{") ? JSON.parse(text).service : "web";
}

describe("/redirect", () => {
  it("goes to the redirect service for every link-preview crawler, in any case", async () => {
    for (const name of PREVIEW_CRAWLER_NAMES) {
      expect([name, await answerer(`x (${name}; y)`)]).toEqual([name, "redirect"]);
      expect([name, await answerer(name.toUpperCase())]).toEqual([name, "redirect"]);
    }
    for (const start of PREVIEW_CRAWLER_STARTS) {
      expect([start, await answerer(`${start}2.1`)]).toEqual([start, "redirect"]);
      expect([start, await answerer(`Mozilla/5.0 ${start}2.1`)]).toEqual([start, "web"]);
    }
  });

  it("is the web app's for everybody else", async () => {
    const people = [
      undefined,
      "",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148 [Pinterest/iOS]",
      "Mozilla/5.0 (Linux; Android 15) Mobile Safari/537.36 [WA4A/2.26.19.73]",
      "naverXme/scrap",
    ];
    for (const agent of [...people, ...OTHER_CRAWLER_NAMES]) {
      expect([agent, await answerer(agent)]).toEqual([agent, "web"]);
    }
  });

  it("reaches the service as it was asked", async () => {
    const { text, headers } = await ask(`${gateway.url}${DEEP_LINK}`, {
      headers: { "User-Agent": "Twitterbot/1.0" },
    });
    expect(JSON.parse(text)).toMatchObject({ method: "GET", url: DEEP_LINK });
    expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it.each([
    ["HEAD", 200, undefined],
    ["POST", 405, "GET, HEAD"],
  ])("answers %s with %d", async (method, status, allow) => {
    const question: Question = { method, headers: { "User-Agent": "Twitterbot/1.0" } };
    const answer = await ask(`${gateway.url}${DEEP_LINK}`, question);
    expect([answer.status, answer.headers.allow]).toEqual([status, allow]);
  });

  it("alone is looked at: no crawler gets another page than people do", async () => {
    const others = ["/", "/redirects", "/redirect/x", "/dashboard", "/_card"];
    for (const path of others) {
      expect([path, await answerer("Twitterbot/1.0", path)]).toEqual([
        path,
        await answerer("", path),
      ]);
    }
    expect(await answerer("Twitterbot/1.0", "/redirect/?product_id=x")).toBe("redirect");
  });

  it("does not stop at an agent as long as nginx takes", async () => {
    expect(await answerer(`${"(".repeat(15_000)} facebookexternalhit`)).toBe("redirect");
    expect(await answerer(`${"naver.me/".repeat(1_600)}`)).toBe("web");
  });
});
