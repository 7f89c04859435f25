import { connect, type Socket } from "node:net";

/** What a slow client sends or reads slowly. */
export const SLOW_CLIENT_KINDS = [
  "headers",
  "body",
  "report",
  "link body",
  "reply",
  "idle",
] as const;
type SlowClientKind = (typeof SLOW_CLIENT_KINDS)[number];

export interface SlowClient {
  port: number;
  kind: SlowClientKind;
  /** Path of a long response; a client of kind "reply" does not read it. */
  longResponsePath: string;
  /** The local address; chosen by the system by default. */
  localAddress?: string;
  /** The client's address in X-Forwarded-For, for a gateway that trusts it. */
  forwardedFor?: string;
}

const BYTE_INTERVAL_MS = 1_000;
const RECONNECT_DELAY_MS = 1_000;

/**
 * Starts a client that sends one byte per second and reconnects one second after the connection is closed.
 * @returns a function that stops the client
 */
export function openSlowClient(client: SlowClient): () => void {
  const { port, kind, localAddress } = client;
  const keepsSending = kind !== "reply" && kind !== "idle";
  let socket: Socket;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function open(): void {
    socket = connect({ port, host: "127.0.0.1", localAddress }, () => {
      socket.write(startOfRequest(client));
    });
    if (kind === "reply") socket.pause();
    else socket.resume();
    socket
      .on("error", () => {})
      .on("close", () => {
        if (!isStopped) reconnectTimer = setTimeout(open, RECONNECT_DELAY_MS);
      });
  }

  const trickle = setInterval(() => {
    if (keepsSending && socket.writable) socket.write("x");
  }, BYTE_INTERVAL_MS);
  open();
  return () => {
    isStopped = true;
    clearInterval(trickle);
    clearTimeout(reconnectTimer);
    socket.destroy();
  };
}

function startOfRequest({ kind, longResponsePath, forwardedFor }: SlowClient): string {
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
  switch (kind) {
    case "headers":
      return head("GET /l/abc2345", "X-Slow: ");
    case "body":
      return head("POST /api/generate", ...body(10_000));
    case "report":
      return head("POST /l/abc2345/outcome", ...body(200));
    case "link body":
      return head("GET /l/abc2345", ...body(10_000));
    case "reply":
      return head(`GET ${longResponsePath}`, "", "");
    case "idle":
      return head("GET /version.txt", "", "");
  }
}
