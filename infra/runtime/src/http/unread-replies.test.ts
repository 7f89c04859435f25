import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { limitUnreadReplies } from "./unread-replies.ts";

const MIB = 1024 * 1024;

async function serve(limits: Partial<Parameters<typeof limitUnreadReplies>[1]>) {
  const sockets = new Set<Socket>();
  let requested = 0;
  const server = createServer((request, response) => {
    requested += 1;
    sockets.add(request.socket);
    request.socket.once("close", () => sockets.delete(request.socket));
    const [, mebibytes, stream] = request.url?.split("/") ?? [];
    if (stream) response.write("first");
    response.end(Buffer.alloc(Number(mebibytes) * MIB));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const timer = limitUnreadReplies(sockets, {
    everyMs: 50,
    replyMs: 3_600_000,
    streamMs: 3_600_000,
    bytes: 1_000 * MIB,
    ...limits,
  });
  onTestFinished(() => {
    clearInterval(timer);
    server.closeAllConnections();
    server.close();
  });
  /** Requests this many MiB and reads nothing. */
  async function request(mebibytes: number, kind = ""): Promise<void> {
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
    onTestFinished(() => void client.destroy());
    client.write(`GET /${mebibytes}/${kind} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const count = requested + 1;
    await vi.waitFor(() => expect(requested).toBe(count));
  }
  const waiting = () => [...sockets].map((socket) => Math.round(socket.writableLength / MIB));
  return { request, waiting };
}

it("closes the connection of a reply that takes too long to be read", async () => {
  const { request, waiting } = await serve({ replyMs: 100 });
  await request(32);

  await vi.waitFor(() => expect(waiting()).toEqual([]));
});

it("gives a stream more time than a reply of known length", async () => {
  const { request, waiting } = await serve({ replyMs: 100, streamMs: 60_000 });
  await request(32, "stream");
  await request(40);

  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  expect(waiting()[0]).toBeLessThan(40);
});

it("closes those with the most bytes when all together exceed the limit", async () => {
  const { request, waiting } = await serve({ bytes: 110 * MIB });
  for (const mebibytes of [20, 60, 40]) await request(mebibytes);

  await vi.waitFor(() => expect(waiting()).toHaveLength(2));
  expect(Math.max(...waiting())).toBeLessThanOrEqual(40);
});
