import { connect, type Socket } from "node:net";

const BYTE_INTERVAL_MS = 1_000;
const RECONNECT_DELAY_MS = 1_000;

const bodyOf = (bytes: number) => ["Content-Type: application/json", `Content-Length: ${bytes}`, "", "{"];

/** The first line of a request, and its further lines, by what the client sends or reads slowly. */
const REQUESTS = {
  headers: ["GET /l/abc2345", "X-Slow: "],
  body: ["POST /api/generate", ...bodyOf(10_000)],
  report: ["POST /l/abc2345/outcome", ...bodyOf(200)],
  "link body": ["GET /l/abc2345", ...bodyOf(10_000)],
  reply: ["GET ", "", ""],
  idle: ["GET /version.txt", "", ""],
} satisfies Record<string, [string, ...string[]]>;
type SlowClientKind = keyof typeof REQUESTS;
export const SLOW_CLIENT_KINDS = Object.keys(REQUESTS) as SlowClientKind[];

interface SlowClient {
  port: number;
  kind: SlowClientKind;
  /** Path of a long response; a client of kind "reply" does not read it. */
  longResponsePath: string;
  /** The local address; chosen by the system by default. */
  localAddress?: string;
}

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

function startOfRequest({ kind, longResponsePath }: SlowClient): string {
  const [request = "", ...lines] = REQUESTS[kind];
  return [`${request}${kind === "reply" ? longResponsePath : ""} HTTP/1.1`, "Host: x", ...lines].join("\r\n");
}
