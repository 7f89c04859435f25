import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createHttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import { createLink } from "@tapthru/proto/create-links";
import { createEarningsImport } from "@tapthru/proto/earnings-imports";
import { ERRORS } from "@tapthru/proto/errors";
import { generate } from "@tapthru/proto/generate";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import Koa from "koa";
import { Registry } from "prom-client";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createAccount, newEmail, PASSWORD } from "../testing/test-accounts.ts";
import { addKey } from "../testing/test-keys.ts";
import { product } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { newBrowser, signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";
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

async function waitingRequests(options?: { mayReject: boolean }) {
  const arrival = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const counts = { waiting: 0, working: 0 };
  const app = new Koa();
  app.use(
    shedLoad({
      httpMetrics: createHttpMetrics(new Registry()),
      requestLimit: { current: LIMIT },
      hasLimits: false,
      addressOf: () => "127.0.0.1",
      credentialOf: () => null,
    }),
  );
  app.use(async (ctx) => {
    await ctx.state.releaseSlotDuring(() => {
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
  return { url, counts, arrival, release };
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

it("accepts a file that has arrived while it rejects new ones", async () => {
  const [path, type, text, status] = ["/api/earnings/imports", "application/octet-stream", "a file", 202] as const;
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

describe("late refusals", () => {
  afterEach(() => void Object.assign(api.requestLimit, { current: MAX_REQUESTS_IN_PROGRESS }));

  const signUp = () => {
    const body = { displayName: "Anna", email: newEmail(), password: PASSWORD };
    return api.post("/api/auth/sign-up", body, newBrowser(api));
  };

  async function logIn() {
    const { email } = await createAccount(api);
    return () => api.post("/api/auth/sign-in", { email, password: PASSWORD }, newBrowser(api));
  }

  async function logOutEverywhere() {
    const { browser } = await signUpUser(api);
    return () => api.request("DELETE", "/api/sessions", browser);
  }

  async function asOperator(method: string, path: string, body?: object) {
    const [operator, other] = [await signUpUser(api), await signUpUser(api)];
    await makeOperator(api, operator);
    const address = `/api/operator/users/${other.user.id}/${path}`;
    return () => api.request(method, address, operator.browser, body);
  }

  it.each([
    ["a sign-up", async () => signUp],
    ["a login", logIn],
    ["a logout everywhere", logOutEverywhere],
    ["the block of a user", () => asOperator("PUT", "state", { state: "blocked" })],
    ["the end of a user's sessions", () => asOperator("DELETE", "sessions")],
  ])("%s is not refused when it is done and the api has become busy", async (_what, prepare) => {
    const send = await prepare();
    await api.query("BEGIN; LOCK TABLE identity.session");
    const reply = send();
    await eventually(async () => {
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'identity.session'::regclass";
      expect(await api.query(waiting)).toHaveLength(1);
    });
    api.requestLimit.current = 0;
    await api.query("COMMIT");
    expect((await reply).status).toBe(200);
  });
});

describe("clients that disconnect", () => {
  let authorization: string;
  beforeAll(async () => {
    ({ authorization } = (await addKey(api, await signUpUser(api))).script);
  });
  afterEach(async () => {
    await api.query("ROLLBACK");
    api.lines.length = 0;
  });

  /** Sends a part of a request. @returns a function that disconnects */
  function sendPart(path: string, type: string): () => void {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const head = [`POST ${path} HTTP/1.1`, "Host: x", `Authorization: ${authorization}`];
    socket.write([...head, `Content-Type: ${type}`, "Content-Length: 99", "", "{"].join("\r\n"));
    return () => socket.resetAndDestroy();
  }

  const isKeyRead = async () => {
    const [row] = await api.query("SELECT FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted");
    return row !== undefined;
  };

  const errors = () => api.lines.filter(({ level }) => level === "error");
  const statuses = () => api.lines.flatMap(({ status }) => (status === undefined ? [] : [status]));

  it.each([
    [createLink.path, "application/json"],
    [createEarningsImport.path, "application/octet-stream"],
  ])("a client that disconnects while its API key is read is no error: %s", async (path, type) => {
    await api.query("BEGIN; LOCK TABLE api_keys");
    const disconnect = sendPart(path, type);
    await eventually(async () => expect(await isKeyRead()).toBe(true));
    disconnect();
    await eventually(() => expect(statuses().at(-1)).toBe(499));
    await api.query("COMMIT");
    const next = await api.request("GET", "/api/links", { authorization });
    expect(next.status).toBe(200);
    expect(errors()).toEqual([]);
  });
});
