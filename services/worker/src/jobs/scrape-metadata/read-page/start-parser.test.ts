import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { startParser } from "./start-parser.ts";

const REPORT = new URL("./testing/report-environment.ts", import.meta.url);
/** What macOS adds to the environment of every process. */
const SYSTEM_VARIABLES = ["__CF_USER_TEXT_ENCODING"];

it("gives the process that parses a page none of the worker's environment", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://worker:canary@127.0.0.1/tapthru");
  vi.stubEnv("REDIS_QUEUE_URL", "redis://:canary@127.0.0.1");
  vi.stubEnv("AMAZON_CREATORS_CLIENT_SECRET", "canary");
  onTestFinished(() => void vi.unstubAllEnvs());
  const child = startParser(REPORT, new AbortController().signal);
  onTestFinished(() => void child.kill("SIGKILL"));

  const [environment] = await once(child, "message");

  const names = Object.keys(environment).filter((name) => !SYSTEM_VARIABLES.includes(name));
  expect(names).toEqual([]);
});
