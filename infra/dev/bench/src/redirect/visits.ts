import { fileURLToPath } from "node:url";
import { offFirstCore } from "@tapthru/chaos/testbed/cores";
import { execa } from "execa";
import { KNOWN_CODE_LETTERS } from "./codes.ts";

const SCRIPT = fileURLToPath(new URL("./visits.lua", import.meta.url));
const CONNECTIONS = 64;

export const AGENTS = {
  desktop:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  phone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  crawler: "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
};

export interface Visits {
  /** Number of links, and the distribution of the visits over them. */
  links?: number;
  spread?: "one" | "uniform" | "zipf" | "each";
  letters?: string;
  agent?: keyof typeof AGENTS;
  /** By default, as many as the server can handle. */
  perSecond?: number;
}

export interface VisitFigures {
  responses: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  /** Responses with status 400 or above. */
  refused: number;
  /** Requests without a complete response. */
  lost: number;
}

/**
 * A round of visits over as many connections as keep the server busy.
 * @param linksUrl the URL of a link without its code
 */
export async function visit(
  linksUrl: string,
  visits: Visits,
  seconds: number,
): Promise<VisitFigures> {
  const { links = 1, spread = "one", letters = KNOWN_CODE_LETTERS, agent = "desktop" } = visits;
  const pauseMs = visits.perSecond === undefined ? 0 : (1_000 * CONNECTIONS) / visits.perSecond;
  const options = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}`, "-H", `User-Agent: ${AGENTS[agent]}`];
  const scriptArgs = [String(links), spread, letters, String(pauseMs)];
  const { command, args } = offFirstCore({
    command: "wrk",
    args: [...options, "-s", SCRIPT, linksUrl, "--", ...scriptArgs],
  });
  const { stdout } = await execa(command, args);
  return readFigures(stdout.split("\n").at(-1) ?? "");
}

function readFigures(line: string): VisitFigures {
  const { requests, micros, refused, lost, p50, p99, p999 } = JSON.parse(line);
  return {
    responses: requests,
    perSecond: (requests * 1e6) / micros,
    p50Ms: p50 / 1_000,
    p99Ms: p99 / 1_000,
    p999Ms: p999 / 1_000,
    refused,
    lost,
  };
}
