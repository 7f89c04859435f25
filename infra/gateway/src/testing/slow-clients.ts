import { connect, type Socket } from "node:net";

/** What a slow client takes its time for. */
export const SLOWNESSES = ["headers", "body", "report", "link body", "reply", "idle"] as const;
export type Slowness = (typeof SLOWNESSES)[number];

export interface SlowClient {
  port: number;
  slowness: Slowness;
  /** Path of the reply that it does not read. */
  longReply: string;
  /** The address it connects from; the system's choice unless given. */
  localAddress?: string;
  /** The address that it has by a proxy which the gateway trusts. */
  forwardedFor?: string;
}

const TRICKLE_MS = 1_000;
const BACK_AFTER_MS = 1_000;

/**
 * A client that takes its time, a byte a second, and connects again a second after it was let go.
 * @returns ends it
 */
export function openSlowClient(client: SlowClient): () => void {
  const { port, slowness, localAddress } = client;
  const sendsOn = slowness !== "reply" && slowness !== "idle";
  let socket: Socket;
  let reopening: NodeJS.Timeout | undefined;
  let isOver = false;

  function open(): void {
    socket = connect({ port, host: "127.0.0.1", localAddress }, () => {
      socket.write(opening(client));
    });
    if (slowness === "reply") socket.pause();
    else socket.resume();
    socket
      .on("error", () => {})
      .on("close", () => {
        if (!isOver) reopening = setTimeout(open, BACK_AFTER_MS);
      });
  }

  const trickle = setInterval(() => {
    if (sendsOn && socket.writable) socket.write("x");
  }, TRICKLE_MS);
  open();
  return () => {
    isOver = true;
    clearInterval(trickle);
    clearTimeout(reopening);
    socket.destroy();
  };
}

function opening({ slowness, longReply, forwardedFor }: SlowClient): string {
  const head = (request: string, ...headers: string[]) =>
    [
      `${request} HTTP/1.1`,
      "Host: x",
      ...(forwardedFor === undefined ? [] : [`X-Forwarded-For: ${forwardedFor}`]),
      ...headers,
    ].join("\r\n");
  const body = (bytes: number) => [
    "Content-Type: application/json",
    `Content-Length: ${bytes}`,
    "",
    "{",
  ];
  switch (slowness) {
    case "headers":
      return head("GET /l/abc2345", "X-Slow: ");
    case "body":
      return head("POST /api/generate", ...body(10_000));
    case "report":
      return head("POST /l/abc2345/outcome", ...body(200));
    case "link body":
      return head("GET /l/abc2345", ...body(10_000));
    case "reply":
      return head(`GET ${longReply}`, "", "");
    case "idle":
      return head("GET /version.txt", "", "");
  }
}
