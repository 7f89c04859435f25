import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { AT_WORK_PER_REPLICA } from "./overload.ts";
import { ask } from "./test/ask.ts";
import { type RunningGateway, startGateway } from "./test/start-gateway.ts";
import { startUpstream, type Upstream } from "./test/upstream.ts";

const PATIENCE = { timeout: 10_000 };

const waiting: ServerResponse[] = [];
let busy: Upstream;
let gateway: RunningGateway;
beforeAll(async () => {
  busy = await startUpstream((_request, response) => void waiting.push(response));
  gateway = await startGateway({ api: [busy.address] });
});
afterAll(async () => {
  await gateway.stop();
  busy.stop();
});

it("refuses what the api cannot take at once, in plain words, and takes more as soon as it can", async () => {
  const places = AT_WORK_PER_REPLICA.api;
  const taken = Array.from({ length: places }, () => ask(`${gateway.url}/api/links`));
  await vi.waitFor(() => expect(waiting).toHaveLength(places), PATIENCE);

  expect(await ask(`${gateway.url}/api/links`)).toMatchObject({
    status: 503,
    headers: { "retry-after": "5", "content-type": "text/plain; charset=utf-8" },
  });
  expect(await ask(`${gateway.url}/l/abc2345`)).toMatchObject({ status: 200 });

  waiting[0]?.end("done");
  expect(await Promise.race(taken)).toMatchObject({ status: 200 });
  const late = ask(`${gateway.url}/api/links`);
  await vi.waitFor(() => expect(waiting).toHaveLength(places + 1), PATIENCE);

  for (const response of waiting) response.end("done");
  const answers = await Promise.all([...taken, late]);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});
