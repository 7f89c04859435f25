import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

let server: Server;
const connections = new Set<Socket>();
let wire: FaultProxy;
/** What the server has got so far. */
let received: string;
let client: Socket;
/** What the client has got so far. */
let answered: string;

beforeEach(async () => {
  received = "";
  answered = "";
  server = createServer((socket) => {
    connections.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk;
      socket.write(`${chunk}!`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  wire = await startFaultProxy((server.address() as AddressInfo).port);
  client = connect(wire.port, "127.0.0.1");
  client.on("data", (chunk) => {
    answered += chunk;
  });
  client.write("hello ");
  await vi.waitFor(() => expect(answered).toBe("hello !"));
});

afterEach(async () => {
  client.destroy();
  await wire.stop();
  server.close();
});

it("delivers held requests once it is released, in order", async () => {
  wire.holdRequests();
  client.write("one ");
  client.write("two");
  await throughAnotherConnection();
  expect(received).toBe("hello ");

  wire.release();

  await vi.waitFor(() => expect(received).toBe("hello one two"));
});

it("never delivers what was held of a client that is gone", async () => {
  wire.holdRequests();
  client.write("one");
  client.destroy();
  await once(client, "close");
  await throughAnotherConnection();

  wire.release();
  const other = connect(wire.port, "127.0.0.1", () => other.write("two"));
  await vi.waitFor(() => expect(received).toBe("hello two"));
  other.destroy();
});

it("holds answers alone while requests arrive", async () => {
  wire.holdResponses();
  client.write("one");
  await vi.waitFor(() => expect(received).toBe("hello one"));
  expect(answered).toBe("hello !");

  wire.release();

  await vi.waitFor(() => expect(answered).toBe("hello !one!"));
});

it("holds requests only from the one that is meant", async () => {
  wire.holdRequests((chunk) => chunk.includes("two"));
  client.write("one ");
  await vi.waitFor(() => expect(received).toBe("hello one "));
  client.write("two ");
  await vi.waitFor(() => expect(wire.held).toBe(1));
  client.write("three");
  await vi.waitFor(() => expect(wire.held).toBe(2));

  wire.release();

  await vi.waitFor(() => expect(received).toBe("hello one two three"));
});

it("keeps delayed answers in order", async () => {
  const delays = [30, 1];
  wire.delayResponses(() => delays.shift() ?? 0);
  client.write("one");
  await vi.waitFor(() => expect(received).toBe("hello one"));
  client.write("two");

  await vi.waitFor(() => expect(answered).toBe("hello !one!two!"));
});

it("throws away what was held when it is cut, and carries what comes afterwards", async () => {
  wire.holdRequests();
  client.write("one");
  await throughAnotherConnection();
  const ended = once(client, "close");

  wire.cut();
  await ended;
  const other = connect(wire.port, "127.0.0.1", () => other.write("two"));

  await vi.waitFor(() => expect(received).toBe("hello two"));
  other.destroy();
});

it("tells the client of a server that hangs up", async () => {
  const hungUp = once(client, "close");
  for (const connection of connections) connection.destroy();
  await hungUp;
});

/** A round through the event loop's sockets: whatever was sent before it has arrived. */
async function throughAnotherConnection(): Promise<void> {
  const other = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(other, "connect");
  other.destroy();
  await once(other, "close");
}
