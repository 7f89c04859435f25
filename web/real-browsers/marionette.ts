import { once } from "node:events";
import { connect } from "node:net";

/** A connection to Firefox through Marionette, its automation protocol. */
export interface Marionette {
  /** @throws MarionetteError as Firefox reports it */
  send(command: string, parameters?: object): Promise<unknown>;
  close(): void;
}

/** `code` is a WebDriver error code, such as "no such element". */
class MarionetteError extends Error {
  readonly code: string;

  constructor({ error, message }: { error: string; message: string }) {
    super(message);
    this.code = error;
  }
}

type Reply = [
  type: 1,
  id: number,
  error: { error: string; message: string } | null,
  result: unknown,
];

/** A message is its length in bytes, a colon and JSON: `16:[0,1,"command",{}]`. */
const FRAME = /^(\d+):/;

/** Source: firefox-source-docs.mozilla.org/testing/marionette/Protocol.html */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, "127.0.0.1");
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let received = Buffer.alloc(0);
  let lastId = 0;

  socket.on("data", (data) => {
    received = Buffer.concat([received, data]);
    for (let message = takeMessage(); message !== null; message = takeMessage()) settle(message);
  });
  socket.on("close", () => {
    for (const { reject } of pending.values()) reject(new Error("Firefox closed the connection"));
  });
  await once(socket, "connect");

  return {
    send(command, parameters = {}) {
      lastId += 1;
      const message = Buffer.from(JSON.stringify([0, lastId, command, parameters]));
      const reply = Promise.withResolvers<unknown>();
      pending.set(lastId, reply);
      socket.write(`${message.length}:`);
      socket.write(message);
      return reply.promise;
    },
    close: () => socket.destroy(),
  };

  function takeMessage(): string | null {
    const [frame, length] = FRAME.exec(received.toString("latin1", 0, 16)) ?? [];
    if (frame === undefined || received.length < frame.length + Number(length)) return null;
    const end = frame.length + Number(length);
    const message = received.toString("utf8", frame.length, end);
    received = received.subarray(end);
    return message;
  }

  /** The first message is Firefox's greeting, an object. Replies are arrays. */
  function settle(message: string) {
    const reply: Reply | object = JSON.parse(message);
    if (!Array.isArray(reply)) return;
    const [, id, error, result] = reply as Reply;
    if (error) pending.get(id)?.reject(new MarionetteError(error));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  }
}
