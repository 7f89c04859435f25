import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

let server: Server;
const connections = new Set<Socket>();
let proxy: FaultProxy;
/** What the server has received so far. */
let received: string;
let client: Socket;
/** What the client has received so far. */
let responseText: string;

beforeEach(async () => {
  received = "";
  responseText = "";
  server = createServer((socket) => {
    connections.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk;
      socket.write(`${chunk}!`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startFaultProxy((server.address() as AddressInfo).port);
  client = connect(proxy.port, "127.0.0.1");
  client.on("data", (chunk) => {
    responseText += chunk;
  });
  client.write("hello ");
  await vi.waitFor(() => expect(responseText).toBe("hello !"));
});

afterEach(async () => {
  client.destroy();
  await proxy.stop();
  server.close();
});

it("delivers held requests in order after release", async () => {
  proxy.holdRequests();
  client.write("one ");
  await vi.waitFor(() => expect(proxy.held).toBe(1));
  client.write("two");
  await vi.waitFor(() => expect(proxy.held).toBe(2));
  expect(received).toBe("hello ");

  proxy.release();

  await vi.waitFor(() => expect(received).toBe("hello one two"));
});

it("never delivers held requests of a closed client", async () => {
  proxy.holdRequests();
  client.write("one");
  await vi.waitFor(() => expect(proxy.held).toBe(1));
  client.destroy();
  await vi.waitFor(() => expect(proxy.held).toBe(0));

  proxy.release();
  const other = connect(proxy.port, "127.0.0.1", () => other.write("two"));
  await vi.waitFor(() => expect(received).toBe("hello two"));
  other.destroy();
});

it("holds responses and delivers requests", async () => {
  proxy.holdResponses();
  client.write("one");
  await vi.waitFor(() => expect(received).toBe("hello one"));
  expect(responseText).toBe("hello !");

  proxy.release();

  await vi.waitFor(() => expect(responseText).toBe("hello !one!"));
});

it("holds both directions", async () => {
  proxy.holdAll();
  client.write("one");
  for (const connection of connections) connection.write("two");
  await vi.waitFor(() => expect(proxy.held).toBe(2));
  expect([received, responseText]).toEqual(["hello ", "hello !"]);

  proxy.release();

  await vi.waitFor(() => expect([received, responseText]).toEqual(["hello one", "hello !twoone!"]));
});

it("holds requests from the first chunk that matches", async () => {
  proxy.holdRequests((chunk) => chunk.includes("two"));
  client.write("one ");
  await vi.waitFor(() => expect(received).toBe("hello one "));
  client.write("two ");
  await vi.waitFor(() => expect(proxy.held).toBe(1));
  client.write("three");
  await vi.waitFor(() => expect(proxy.held).toBe(2));

  proxy.release();

  await vi.waitFor(() => expect(received).toBe("hello one two three"));
});

it("keeps delayed responses in order", async () => {
  const delays = [30, 1];
  proxy.delayResponses(() => delays.shift() ?? 0);
  client.write("one");
  await vi.waitFor(() => expect(received).toBe("hello one"));
  client.write("two");

  await vi.waitFor(() => expect(responseText).toBe("hello !one!two!"));
});

it("drops held requests when it is cut, and serves later connections", async () => {
  proxy.holdRequests();
  client.write("one");
  await vi.waitFor(() => expect(proxy.held).toBe(1));
  const ended = once(client, "close");

  proxy.cut();
  await ended;
  const other = connect(proxy.port, "127.0.0.1", () => other.write("two"));

  await vi.waitFor(() => expect(received).toBe("hello two"));
  other.destroy();
});

it("closes the client connection when the server closes", async () => {
  const closed = once(client, "close");
  for (const connection of connections) connection.destroy();
  await closed;
});
