import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { Component } from "../lifecycle.ts";
import { createHttpComponent, HTTP_SERVER_OPTIONS, type HttpComponentOptions } from "./http-server.ts";

const HOUR_MS = 3_600_000;
const WAIT = { timeout: 60_000 };

const open: { component: Component; sockets: Socket[] }[] = [];

afterEach(async () => {
  for (const { component, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await component.stop?.();
  }
});

async function serve(listener: RequestListener, options: Partial<HttpComponentOptions> = {}) {
  const server = createServer(HTTP_SERVER_OPTIONS, listener);
  const component = createHttpComponent({ name: "test", server, host: "127.0.0.1", port: 0, ...options });
  const sockets: Socket[] = [];
  open.push({ component, sockets });
  await component.start?.();
  return {
    server,
    stop: async () => component.stop?.(),
    async client({ paused = false } = {}) {
      const socket = connect(portOf(server), "127.0.0.1");
      sockets.push(socket);
      await once(socket, "connect");
      let received = "";
      if (!paused) {
        socket.on("data", (chunk) => {
          received += chunk;
        });
      }
      return {
        request: () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
        send: (text: string) => socket.write(text),
        responses: (count: number) =>
          vi.waitFor(() => expect(received.split("HTTP/1.1 200 OK")).toHaveLength(count + 1), WAIT),
        received: () => received,
        closed: once(socket, "close"),
      };
    },
  };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

it("responds on kept connections with Connection: close before it stops listening", async () => {
  const { server, client, stop } = await serve((_, response) => void response.end("ok"), { lingerMs: 60_000 });
  const [early, late] = [await client(), await client()];
  early.request();
  await early.responses(1);
  expect(early.received()).toContain("Connection: keep-alive");
  const stopped = stop();
  late.request();
  early.request();
  await late.responses(1);
  await early.responses(2);
  await Promise.all([early.closed, late.closed, stopped]);
  expect(late.received()).toContain("Connection: close");
  expect(server.listening).toBe(false);
});

it("serves the request of a connection that was opened before the port closed", async () => {
  const { server, client, stop } = await serve((_, response) => void response.end("ok"), { lingerMs: 60_000 });
  const early = await client();
  const stopped = stop();
  const late = await client();
  early.request();
  await early.closed;
  await vi.waitFor(() => expect(server.listening).toBe(false), WAIT);
  late.request();
  await late.responses(1);
  await Promise.all([late.closed, stopped]);
});

it("lets a request in progress finish, and closes its connection afterwards", async () => {
  const finish = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { client, stop } = await serve(
    async (_, response) => {
      started.resolve();
      await finish.promise;
      response.end("ok");
    },
    { lingerMs: 0 },
  );
  const visitor = await client();
  visitor.request();
  await started.promise;
  const stopped = stop();
  finish.resolve();
  await Promise.all([visitor.closed, stopped]);
  expect(visitor.received()).toMatch(/200 OK[\s\S]*Connection: close[\s\S]*ok/);
});

it("closes idle connections after the linger", async () => {
  const { client, stop } = await serve((_, response) => void response.end("ok"), { lingerMs: 1 });
  const [used, unused] = [await client(), await client()];
  used.request();
  await used.responses(1);
  await stop();
  await Promise.all([used.closed, unused.closed]);
});

it("closes unresponsive connections after the drain", async () => {
  const requested = Promise.withResolvers<void>();
  const { client, stop } = await serve(() => requested.resolve(), { lingerMs: 1, drainMs: 1 });
  const unresponsive = await client();
  unresponsive.request();
  await requested.promise;
  await stop();
  await unresponsive.closed;
});

it("gives a body as much time as its handler, and a reply as much as its reader", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const [bodyArrives, replyIsRead] = [Promise.withResolvers(), Promise.withResolvers<void>()];
  const { client } = await serve(async (request, response) => {
    await once(request.on("data", bodyArrives.resolve), "end");
    response.write("begin ");
    await replyIsRead.promise;
    response.end("end");
  });
  const slow = await client();
  slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
  await bodyArrives.promise;
  vi.advanceTimersByTime(HOUR_MS);
  slow.send("b");
  await vi.waitFor(() => expect(slow.received()).toContain("begin"), WAIT);
  vi.advanceTimersByTime(HOUR_MS);
  replyIsRead.resolve();
  await vi.waitFor(() => expect(slow.received()).toContain("end"), WAIT);
});

it("closes connections with the most unread bytes when all together exceed the limit", async () => {
  const MIB = 1024 * 1024;
  const { server, client } = await serve(
    (request, response) => void response.end(Buffer.alloc(Number(request.headers.host) * MIB)),
    { unreadBytesMax: 110 * MIB },
  );
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  for (const mebibytes of [20, 60, 40]) {
    (await client({ paused: true })).send(`GET / HTTP/1.1\r\nHost: ${mebibytes}\r\n\r\n`);
  }
  const isOpen = () => sockets.map((socket) => !socket.destroyed);
  await vi.waitFor(() => expect(isOpen()).toEqual([true, false, true]), WAIT);
});

it("names the port that is in use", async () => {
  const { server } = await serve((_, response) => void response.end());
  const port = portOf(server);
  await expect(serve(() => {}, { port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
});

it("disconnects clients that are slow to start, with their headers, or with a body", async () => {
  const { client } = await serve((request) => void request.resume());
  const [idle, slow, slower] = [await client(), await client(), await client()];
  slow.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  slower.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx");
  await Promise.all([idle.closed, slow.closed, slower.closed]);
});
