import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createHttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import { ERRORS } from "@tapthru/proto/errors";
import { tooManyRequests } from "@tapthru/proto/general-errors";
import { generate } from "@tapthru/proto/generate";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import Koa from "koa";
import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { product } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";
import { ApiError } from "./errors.ts";
import { LIMIT_FACTOR_AFTER_WAIT, shedLoad } from "./shed-load.ts";

const LIMIT = 8;
const LIMIT_AFTER_WAIT = LIMIT_FACTOR_AFTER_WAIT * LIMIT;

const api = await startApi();

const visitor = () => api.request("GET", "/api/visitor");

/** Fills the process with requests. @returns `release` completes them and returns their statuses */
async function saturate() {
  await api.query("BEGIN; LOCK TABLE links");
  const creates = Array.from({ length: MAX_REQUESTS_IN_PROGRESS }, () => api.post(generate.path, { url: product }));
  await eventually(async () => expect((await visitor()).status).toBe(503));
  async function release() {
    await api.query("COMMIT");
    return (await Promise.all(creates)).map(({ status }) => status);
  }
  return { release };
}

it("rejects requests at once under overload, and accepts them again afterwards", async () => {
  const { release } = await saturate();

  const refused = await visitor();
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await refused.text()).toBe(ERRORS.unavailable.message);

  expect(new Set(await release())).toEqual(new Set([201]));
  expect((await visitor()).status).toBe(200);
});

/** Sends a create request without the last byte of its body. */
async function startCreate(body: string) {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const head = [
    `POST ${generate.path} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, -1)}`);
  return socket;
}

it.each([
  ["/api/imports", "text/csv", `url\n${product}`, 201],
  ["/api/earnings/imports", "application/octet-stream", "a file", 202],
])("accepts a file for %s that has arrived while it rejects new ones", async (path, type, text, status) => {
  const { browser } = await signUpUser(api);
  const headers = { ...browser, "content-type": type };
  const start = async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const init = { method: "POST", headers, body: readable, duplex: "half" };
    const response = fetch(api.url + path, init as RequestInit);
    const writer = writable.getWriter();
    await writer.write(Buffer.from(text.slice(0, 3)));
    return { writer, response };
  };
  // A user sends one file at a time: while one is refused, the other is being received.
  const [first, second] = [await start(), await start()];
  const refused = await Promise.race([first, second].map(async (upload) => ({ upload, reply: await upload.response })));
  expect(refused.reply.status).toBe(503);
  const { writer, response } = refused.upload === first ? second : first;
  api.requestLimit.current = 0;
  onTestFinished(() => void Object.assign(api.requestLimit, { current: MAX_REQUESTS_IN_PROGRESS }));
  expect((await visitor()).status).toBe(503);
  await writer.write(Buffer.from(text.slice(3)));
  await writer.close();
  expect((await response).status).toBe(status);
});

it("does not count requests whose body arrives slowly", async () => {
  for (let count = 0; count < 2 * MAX_REQUESTS_IN_PROGRESS; count += 1) await startCreate("{".repeat(100));

  expect((await visitor()).status).toBe(200);
  expect((await api.post(generate.path, { url: product })).status).toBe(201);
});

/** An application whose requests wait for `arrival`, and are then in progress until `release`. */
async function waitingRequests(options?: { mayReject: boolean }) {
  const arrival = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const counts = { waiting: 0, working: 0, rejected: 0 };
  const limit = { current: LIMIT };
  const app = new Koa();
  app.use(
    shedLoad({
      httpMetrics: createHttpMetrics(new Registry()),
      requestLimit: limit,
      turns: null,
      addressOf: () => "127.0.0.1",
      countRejected: async () => {
        counts.rejected += 1;
        if (counts.rejected > 1) throw new ApiError(tooManyRequests);
      },
    }),
  );
  app.use(async (ctx) => {
    await ctx.state.whileWaiting(() => {
      counts.waiting += 1;
      return arrival.promise;
    }, options);
    counts.working += 1;
    await release.promise;
    ctx.body = "done";
  });
  app.silent = true;
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, limit, counts, arrival, release };
}

it.each([
  ["rejects", undefined, LIMIT_AFTER_WAIT],
  ["accepts, where it says so,", { mayReject: false }, LIMIT_AFTER_WAIT + 1],
] as const)("%s a request that has waited while the most others are in progress", async (_verb, options, working) => {
  const { url, counts, arrival, release } = await waitingRequests(options);
  const requests = Array.from({ length: LIMIT_AFTER_WAIT + 1 }, () => fetch(url));
  await eventually(() => expect(counts.waiting).toBe(requests.length));
  arrival.resolve();
  await eventually(() => expect(counts.working).toBe(working));
  release.resolve();
  await Promise.all(requests);
  expect(counts.working).toBe(working);
});

it("counts a rejected request for its address, and says when the address has sent too many", async () => {
  const { url, limit, counts } = await waitingRequests();
  limit.current = 0;
  expect((await fetch(url)).status).toBe(503);
  const refused = await fetch(url);
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
  expect(counts).toEqual({ waiting: 0, working: 0, rejected: 2 });
});
