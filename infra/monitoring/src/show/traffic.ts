import { setTimeout as delay } from "node:timers/promises";
import { GeneratedLink, generate } from "@tapthru/proto/http/generate";
import * as z from "zod/mini";

const INSTAGRAM =
  "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5; iOS 17_4_1)";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36";
const DESKTOP =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36";
const CRAWLER = "facebookexternalhit/1.1";
const AGENTS = [INSTAGRAM, IPHONE, ANDROID, INSTAGRAM, DESKTOP, CRAWLER];

const ROUND_MS = 100;
const VISITS_PER_ROUND = 12;

/** Creates links, visits them and reports outcomes until `until`, so that most metrics have values. */
export async function sendTraffic(baseUrl: string, until: AbortSignal): Promise<void> {
  const codes: string[] = [];
  for (let round = 0; !until.aborted; round++) {
    if (round % 5 === 0) codes.push(...(await createLink(baseUrl, round)));
    const visits = Array.from({ length: codes.length > 0 ? VISITS_PER_ROUND : 0 }, (_, i) => {
      const agent = AGENTS[(round + i) % AGENTS.length] as string;
      const code = codes[(round * i) % codes.length] as string;
      return visit(`${baseUrl}/l/${code}`, agent, round + i);
    });
    await Promise.all([
      ...visits,
      get(`${baseUrl}/l/unknwn${(round % 8) + 2}`, DESKTOP),
      get(`${baseUrl}/redirect?product_id=B0CX23V2ZK`, CRAWLER),
      get(`${baseUrl}/api/visitor`, DESKTOP),
      get(`${baseUrl}/api/links`, DESKTOP),
    ]);
    await delay(ROUND_MS, undefined, { signal: until }).catch(() => {});
  }
}

/** @returns the short code; nothing if a busy machine refuses the request */
async function createLink(baseUrl: string, number: number): Promise<string[]> {
  const response = await fetch(`${baseUrl}${generate.path}`, {
    method: generate.method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `https://www.amazon.com/dp/B0${String(number).padStart(8, "0")}` }),
  });
  const text = await response.text();
  return response.ok ? [z.parse(GeneratedLink, JSON.parse(text)).shortCode] : [];
}

/** Opens a link and reports its outcome. Every fourth report says that the page stayed open. */
async function visit(url: string, agent: string, number: number): Promise<void> {
  const page = await get(url, agent);
  const data = (name: string) => new RegExp(` data-${name}="([^"]+)"`).exec(page)?.[1];
  if (data("report") === undefined) return;
  const outcome = number % 4 === 0 ? "stayed" : data("hidden");
  const response = await fetch(new URL(String(data("report")), url), {
    method: "POST",
    headers: { "user-agent": agent },
    body: JSON.stringify({ row: data("row"), outcome, proof: data("proof") }),
  });
  await response.arrayBuffer();
}

async function get(url: string, agent: string): Promise<string> {
  const response = await fetch(url, { headers: { "user-agent": agent }, redirect: "manual" });
  return response.text();
}
