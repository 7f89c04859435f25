import {
  ASSISTANT_NAMES,
  OTHER_CRAWLER_NAMES,
  PREVIEW_CRAWLER_NAMES,
  PREVIEW_CRAWLER_STARTS,
} from "@tapthru/proto/rules/agents/crawlers";
import { expect, it } from "vitest";
import { sharedGateway } from "../testing/start-gateway.ts";

const DEEP_LINK = "/redirect?product_id=B0ZZ1Y2X3W&original_url=https%3A%2F%2Fwww.amazon.de%2F%3Fq%3D%2527";

const gateway = await sharedGateway();

async function respondingService(agent: string | undefined, path = DEEP_LINK): Promise<string> {
  const headers = agent === undefined ? {} : { "User-Agent": agent };
  const { text } = await gateway.send(path, { headers });
  return text.startsWith("{") ? JSON.parse(text).service : "web";
}

it("/redirect goes to the redirect service for every link-preview crawler, in any case", async () => {
  for (const name of PREVIEW_CRAWLER_NAMES) {
    expect([name, await respondingService(`x (${name}; y)`)]).toEqual([name, "redirect"]);
    expect([name, await respondingService(name.toUpperCase())]).toEqual([name, "redirect"]);
  }
  for (const start of PREVIEW_CRAWLER_STARTS) {
    expect([start, await respondingService(`${start}2.1`)]).toEqual([start, "redirect"]);
    expect([start, await respondingService(`Mozilla/5.0 ${start}2.1`)]).toEqual([start, "web"]);
  }
});

it("/redirect goes to the SPA for all other user agents", async () => {
  const browsers = [
    undefined,
    "",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148 [Pinterest/iOS]",
    "Mozilla/5.0 (Linux; Android 15) Mobile Safari/537.36 [WA4A/2.26.19.73]",
    "naverXme/scrap",
  ];
  for (const agent of [...browsers, ...ASSISTANT_NAMES, ...OTHER_CRAWLER_NAMES]) {
    expect([agent, await respondingService(agent)]).toEqual([agent, "web"]);
  }
});

it("/redirect is passed on to the service unchanged, for GET and HEAD", async () => {
  const headers = { "User-Agent": "Twitterbot/1.0" };
  const card = await gateway.send(DEEP_LINK, { headers });
  expect(JSON.parse(card.text)).toMatchObject({ method: "GET", url: DEEP_LINK });
  expect(card.headers).toMatchObject({ "cross-origin-resource-policy": "cross-origin", "cache-control": "no-store" });
  const refused = await gateway.send(DEEP_LINK, { method: "POST", headers });
  expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
});

it("/redirect is the only path that depends on the user agent", async () => {
  const others = ["/", "/redirects", "/redirect/x", "/dashboard", "/_card"];
  for (const path of others) {
    expect([path, await respondingService("Twitterbot/1.0", path)]).toEqual([path, await respondingService("", path)]);
  }
  expect(await respondingService("Twitterbot/1.0", "/redirect/?product_id=x")).toBe("redirect");
});
