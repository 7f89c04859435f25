import { fileURLToPath } from "node:url";
import { offFirstCore } from "@tapthru/chaos/testbed/cores";
import { createLink } from "@tapthru/proto/http/create-links";
import { execa } from "execa";
import type { ApiServer } from "./servers.ts";

const SCRIPT = fileURLToPath(new URL("./creates.lua", import.meta.url));
/** Enough to keep the server busy: more than its 10 connections to Postgres. */
const CONNECTIONS = 16;
/** At a lower rate there are more, so that requests do not wait for each other's responses. */
const CONNECTIONS_AT_RATE = 64;

export interface CreateFigures {
  responses: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Creates links with one API key.
 * @param perSecond by default, as many as the server can handle
 * @throws Error if a create failed
 */
export async function createFor(
  seconds: number,
  { origin }: ApiServer,
  key: string,
  perSecond?: number,
): Promise<CreateFigures> {
  const connections = perSecond === undefined ? CONNECTIONS : CONNECTIONS_AT_RATE;
  const pauseMs = perSecond === undefined ? 0 : (1_000 * connections) / perSecond;
  const options = ["-t1", `-c${connections}`, `-d${seconds}`, "-s", SCRIPT];
  const { command, args } = offFirstCore({
    command: "wrk",
    args: [...options, `${origin}${createLink.path}`, "--", key, String(pauseMs)],
  });
  const { stdout } = await execa(command, args);
  const { responses, failed, p50, p99 } = JSON.parse(stdout.split("\n").at(-1) ?? "");
  if (failed > 0) throw new Error(`${failed} of ${responses} creates failed`);
  return { responses, p50Ms: p50 / 1_000, p99Ms: p99 / 1_000 };
}
