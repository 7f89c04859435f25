import { join } from "node:path";
import { GeneratedLink, generate } from "@tapthru/proto/generate";
import type { Stack } from "../processes/stack.ts";
import { respondsOverHttp } from "./http-health.ts";
import { CHECKOUT, type Settings } from "./settings.ts";

const DEMO_URLS = [
  "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1",
  "https://www.amazon.de/dp/B08N5WRWNW?tag=tapthru-21",
  "https://www.amazon.com/shop/tapthru-kitchen?tag=tapthru-20",
];

/** Starts the Amazon stand-in, to which safe-fetch connects instead of Amazon. */
export async function startStandIn({ ports, logsDir }: Settings, stack: Stack): Promise<string> {
  const url = `http://127.0.0.1:${ports.STAND_IN_PORT}`;
  await stack.start(
    {
      name: "Amazon stand-in",
      command: process.execPath,
      args: [
        join(CHECKOUT, "infra", "dev", "amazon-stand-in", "src", "main.ts"),
        `--port=${ports.STAND_IN_PORT}`,
        `--tls-port=${ports.STAND_IN_TLS_PORT}`,
      ],
      logFile: join(logsDir, "stand-in.log"),
    },
    () => respondsOverHttp(url),
  );
  return url;
}

/** Creates example links, as many as ANONYMOUS_CREATES_PER_MINUTE allows. @returns lines of short link and destination */
export async function createDemoLinks({ ports }: Settings): Promise<string[]> {
  const lines: string[] = [];
  for (const url of DEMO_URLS) {
    const response = await fetch(`http://127.0.0.1:${ports.PORT}${generate.path}`, {
      method: generate.method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url }),
    });
    if (response.status === 429) break;
    if (!response.ok) throw new Error(`${generate.path} responded with ${response.status}`);
    const { shortUrl } = GeneratedLink.parse(await response.json());
    lines.push(`${shortUrl} → ${url}`);
  }
  return lines;
}
