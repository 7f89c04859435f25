import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { FETCH_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startRawServer, startServer } from "../testing/raw-server.ts";
import { standInClient } from "./client.ts";
import { SafeFetchError } from "./errors.ts";
import { createGuardedFetch, createSafeFetch, readBody, type SafeFetchRequest } from "./safe-fetch.ts";

const WAIT = { timeout: 30_000 };

const USER_AGENT = "Tapthru-test (+mailto:hello@localhost)";
const LINK = { url: "https://amzn.to/3TapTru", purpose: "short" } as const;

/** Longer than a test may take: only a limit can end the request. */
const NO_DEADLINE_MS = 60_000;

async function send(
  respond: Parameters<typeof startServer>[0],
  request: Partial<SafeFetchRequest> = {},
  deadlineMs = NO_DEADLINE_MS,
) {
  const server = await startServer(respond);
  const safeFetch = createGuardedFetch(standInClient(server.url), USER_AGENT, deadlineMs);
  return { ...server, response: safeFetch({ ...LINK, ...request }) };
}

async function startRecorder(userAgent = USER_AGENT) {
  const requests: string[] = [];
  const server = await startServer((socket, request) => {
    requests.push(request);
    socket.write("HTTP/1.1 204 No Content\r\nset-cookie: visitor=1\r\n\r\n");
  });
  const safeFetch = createSafeFetch({ standInUrl: server.url, userAgent });
  return { ...server, requests, safeFetch };
}

describe("the request", () => {
  it("sends only path, query and host of the address and the User-Agent", async () => {
    const { requests, safeFetch } = await startRecorder();
    await safeFetch({ ...LINK, url: "https://AMZN.to/d/3TapTru?b=%20+é&a=1#part" });
    const lines = ["GET /d/3TapTru?b=%20+%C3%A9&a=1 HTTP/1.1", "host: amzn.to", "connection: keep-alive"];
    lines.push(`user-agent: ${USER_AGENT}`, "accept: text/html,*/*;q=0.8", "accept-encoding: gzip, deflate, br");
    expect(requests).toEqual([`${lines.join("\r\n")}\r\n\r\n`]);
  });

  it("sends the caller's method, headers and body", async () => {
    const requests: string[] = [];
    const server = await startRawServer((socket) => {
      socket.setEncoding("latin1").on("data", (text: string) => {
        requests.push(text);
        if (requests.join("").endsWith("}")) socket.end("HTTP/1.1 204 No Content\r\n\r\n");
      });
    });
    const safeFetch = createSafeFetch({ standInUrl: server.url, userAgent: USER_AGENT });
    await safeFetch({
      url: "https://creatorsapi.amazon/catalog/v1/getItems",
      purpose: "creators-api",
      method: "POST",
      headers: { authorization: "Bearer abc", "content-type": "application/json", accept: "*/*" },
      body: '{"é":1}',
    });
    const received = requests.join("");
    expect(received).toMatch(/^POST \/catalog\/v1\/getItems HTTP\/1\.1\r\nhost: creatorsapi\.amazon\r\n/);
    for (const line of ["accept: */*", "authorization: Bearer abc", "content-type: application/json"])
      expect(received).toContain(`\r\n${line}\r\n`);
    expect(received).toMatch(/\r\ncontent-length: 8\r\n\r\n\{"\u00c3\u00a9":1\}$/);
  });

  it("uses a new connection, without cookies of the previous one", async () => {
    const { requests, connections, safeFetch } = await startRecorder();
    await safeFetch(LINK);
    await safeFetch(LINK);
    expect(connections).toHaveLength(2);
    expect(requests.join()).not.toMatch(/cookie/i);
    await vi.waitFor(() => expect(connections.every((one) => one.closed)).toBe(true), WAIT);
  });

  it("supports a product name that is not ASCII", async () => {
    const { requests, safeFetch } = await startRecorder("Täp\r\nthru");
    await safeFetch(LINK);
    expect(requests.join()).toContain("\r\nuser-agent: T%C3%A4p%0D%0Athru\r\n");
  });

  it("goes to no stand-in outside the private network", () => {
    const create = () => createSafeFetch({ standInUrl: "http://1.1.1.1:80", userAgent: USER_AGENT });
    expect(create).toThrow("EGRESS_STAND_IN_URL must be a private address");
  });
});

describe("the response", () => {
  it("returns a redirect unchanged, without following it", async () => {
    const { response, connections } = await send((socket) =>
      socket.end("HTTP/1.1 301 Moved\r\nlocation: /again\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"),
    );
    expect(await response).toEqual({
      status: 301,
      location: "/again",
      contentType: null,
      retryAfter: "5",
      body: { bytes: Buffer.alloc(0), truncated: false },
    });
    expect(connections).toHaveLength(1);
  });

  it.each([
    ["bytes as they came", "https://www.amazon.com/x?k=l'%c3%A9t%20+~", "https://www.amazon.com/x?k=l'%c3%A9t%20+~"],
    ["UTF-8", Buffer.from("/Été").toString("latin1"), "/Été"],
    ["null where it is no UTF-8", "/\xc9t", null],
    ["null where it is empty", "", null],
    ["null where there are two", "/a\r\nlocation: /b", null],
  ])("returns the Location as %s", async (_what, header, location) => {
    const { response } = await send((socket) =>
      socket.end(`HTTP/1.1 301 Moved\r\nlocation: ${header}\r\ncontent-length: 0\r\n\r\n`, "latin1"),
    );
    expect(await response).toMatchObject({ location });
  });

  it("returns the headers without the body, and closes the connection", async () => {
    const { response, connections } = await send((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nonly this"),
    );
    expect(await response).toMatchObject({ status: 200, body: { bytes: { length: 0 } } });
    await vi.waitFor(() => expect(connections[0]?.closed).toBe(true), WAIT);
  });

  it("returns the decompressed body if requested", async () => {
    const page = gzipSync("<title>Lamp</title>");
    const { response } = await send(
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\n\r\n");
        socket.end(page);
      },
      { withBody: true },
    );
    expect(await response).toMatchObject({
      contentType: "text/html",
      body: { bytes: Buffer.from("<title>Lamp</title>"), truncated: false },
    });
  });

  it.each([
    ["shorter than announced", "content-length: 40\r\n\r\n<title>"],
    ["without its last chunk", "transfer-encoding: chunked\r\n\r\n7\r\n<title>\r\n"],
    ["of a damaged gzip", `content-encoding: gzip\r\n\r\n${"<title>"}`],
    ["too long", `content-length: 2097153\r\n\r\n${"<title".repeat(349_526)}`],
  ])("refuses a body that is cut, if not a prefix of it is asked for: %s", async (_what, text) => {
    const reply = (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\n${text}`);
    const { response } = await send(reply, { withBody: true });
    await expect(response).rejects.toMatchObject({ code: "bad-response" });
    const { response: prefix } = await send(reply, { withBody: "prefix" });
    expect((await prefix).body.truncated).toBe(true);
  });

  it("cuts the response off even if an endless page decompresses to nothing", async () => {
    const nothing = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync("")));
    const { response } = await send(sendEndlessly("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n", nothing), {
      withBody: "prefix",
    });
    expect((await response).body).toEqual({ bytes: Buffer.alloc(0), truncated: true });
  });

  it("returns the received part of a page at the deadline", async () => {
    const deadline = new AbortController();
    const onChunk = () => setImmediate(() => deadline.abort());
    subscribe("undici:request:bodyChunkReceived", onChunk);
    onTestFinished(() => void unsubscribe("undici:request:bodyChunkReceived", onChunk));
    const { response } = await send((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n<title>"), {
      withBody: "prefix",
      deadline: deadline.signal,
    });
    expect((await response).body).toEqual({ bytes: Buffer.from("<title>"), truncated: true });
  });
});

describe("a failure", () => {
  it.each([
    ["a header over 16 kB", `HTTP/1.1 301 Moved\r\nlocation: /${"a".repeat(16_400)}\r\n\r\n`],
    ["another protocol", "220 mail.example ESMTP secret-text\r\n"],
    ["an encoding that was not requested", "HTTP/1.1 200 OK\r\ncontent-encoding: compress\r\n\r\nx"],
    ["a header without a colon", "HTTP/1.1 200 OK\r\nsecret\r\n\r\n"],
  ])("%s is a bad response, without text of the remote side", async (_what, text) => {
    const { response } = await send((socket) => socket.end(text), { withBody: true });
    const error = await response.catch((error: unknown) => error);
    expect(error).toMatchObject({
      constructor: SafeFetchError,
      code: "bad-response",
      message: "The response of the host could not be read.",
    });
    expect(error).not.toHaveProperty("cause");
  });

  it("endless headers are a bad response", async () => {
    const { response } = await send(
      sendEndlessly("HTTP/1.1 200 OK\r\n", Buffer.from(`x-filler: ${"a".repeat(1_000)}\r\n`)),
    );
    await expect(response).rejects.toMatchObject({ code: "bad-response" });
  });

  it("the host is unreachable if the connection closes without a response", async () => {
    const { response } = await send((socket) => socket.destroy());
    await expect(response).rejects.toMatchObject({ code: "unreachable" });
  });

  it.each([
    ["sends nothing", () => {}],
    ["sends single bytes", sendSlowly("HTTP/1.1 301 Moved\r\nx-slow: ")],
    ["repeats that it will respond", sendEndlessly("", Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"))],
  ])("reports a timeout if the host %s", async (_what, respond) => {
    const { response, connections } = await send(respond, {}, 100);
    await expect(response).rejects.toMatchObject({ code: "timeout" });
    await vi.waitFor(() => expect(connections.every((one) => one.closed)).toBe(true), WAIT);
  });

  it("reports a timeout at the caller's deadline, without a connection if it has passed before", async () => {
    const deadline = new AbortController();
    const { response } = await send(() => deadline.abort(), { deadline: deadline.signal });
    await expect(response).rejects.toMatchObject({ code: "timeout" });
    const late = await send(() => {}, { deadline: AbortSignal.abort() });
    await expect(late.response).rejects.toMatchObject({ code: "timeout" });
    expect(late.connections).toEqual([]);
  });

  it.each(["Bearer secret-text", "Bearer secret\r\ntext", "Bearer secret\u0000text"])(
    "a failure does not reveal what was sent: %j",
    async (authorization) => {
      const safeFetch = createSafeFetch({ standInUrl: "http://127.0.0.1:1", userAgent: USER_AGENT });
      const pending = safeFetch({ ...LINK, method: "POST", headers: { authorization }, body: "secret" });
      const error = await pending.catch((error: unknown) => error);
      expect(error).toMatchObject({ code: "unreachable", message: "The host could not be reached." });
      expect(error).not.toHaveProperty("cause");
    },
  );
});

function sendEndlessly(head: string, filler: Buffer): Parameters<typeof startServer>[0] {
  return (socket) => {
    const sendMore = () => {
      while (socket.writable && socket.write(filler));
    };
    socket.write(head);
    socket.on("drain", sendMore);
    sendMore();
  };
}

function sendSlowly(head: string): Parameters<typeof startServer>[0] {
  return (socket) => {
    socket.write(head);
    const byteTimer = setInterval(() => socket.write("a"), 20);
    socket.once("close", () => clearInterval(byteTimer));
  };
}

const PAGE = "<title>Été</title>".repeat(100);

const pageOf = (...chunks: Buffer[]) => Readable.from(chunks);

it.each([
  [null, Buffer.from(PAGE)],
  ["identity", Buffer.from(PAGE)],
  ["gzip", gzipSync(PAGE)],
  ["X-GZIP", gzipSync(PAGE)],
  ["deflate", deflateSync(PAGE)],
  ["br", brotliCompressSync(PAGE)],
])("reads a whole page in encoding %s", async (encoding, bytes) => {
  const body = await readBody(pageOf(bytes), encoding);
  expect(body.bytes.toString()).toBe(PAGE);
  expect(body.truncated).toBe(false);
});

it.each(["compress", "zstd", "gzip, gzip", ""])("refuses encoding '%s'", async (encoding) => {
  await expect(readBody(pageOf(Buffer.from(PAGE)), encoding)).rejects.toMatchObject({
    code: "bad-response",
  });
});

it("reads a page of exactly 2 MiB completely", async () => {
  const body = await readBody(pageOf(Buffer.alloc(FETCH_MAX_BYTES)), null);
  expect(body).toMatchObject({ bytes: { length: FETCH_MAX_BYTES }, truncated: false });
});

it.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("cuts a decompression bomb in encoding %s at 2 MiB", async (encoding, compress) => {
  const body = await readBody(pageOf(compress(Buffer.alloc(64 * 1024 * 1024))), encoding);
  expect(body).toMatchObject({ bytes: { length: FETCH_MAX_BYTES }, truncated: true });
});

it("cuts an endless page at 2 MiB and closes it", async () => {
  const page = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024 + 1));
    },
  });
  const body = await readBody(page, null);
  expect(body).toMatchObject({ bytes: { length: FETCH_MAX_BYTES }, truncated: true });
  expect(page.destroyed).toBe(true);
});

it("returns what arrived before the page was cut off", async () => {
  const page = new Readable({ read() {} });
  page.push(PAGE);
  const body = readBody(page, null);
  await vi.waitFor(() => expect(page.readableLength).toBe(0), { timeout: 30_000 });
  page.destroy(new Error("reset"));
  expect(await body).toEqual({ bytes: Buffer.from(PAGE), truncated: true });
});

it("returns what could be decompressed of a damaged page", async () => {
  const noise = Buffer.from(PAGE.repeat(200) + Math.PI.toString().repeat(9_000));
  const damaged = gzipSync(noise).subarray(0, -20);
  const body = await readBody(pageOf(damaged), "gzip");
  expect(body.truncated).toBe(true);
  expect(body.bytes.toString().startsWith(PAGE)).toBe(true);
});
