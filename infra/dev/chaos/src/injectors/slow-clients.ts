import { connect, type Socket } from "node:net";

type SlowPart = "headers" | "body" | "nothing";

interface SlowClientsPlan {
  port: number;
  count: number;
  /** The part of the request that they send at one byte every five seconds. */
  slowPart: SlowPart;
  /** Path of their POST request. */
  path: string;
}

export interface SlowClients {
  /** How long each client was connected, in milliseconds; Infinity while it is connected. */
  connectedMs(): number[];
  stop(): void;
}

const BYTE_EVERY_MS = 5_000;

export function openSlowClients({ port, count, slowPart, path }: SlowClientsPlan): SlowClients {
  const begin = performance.now();
  const connectedMs = Array.from({ length: count }, () => Number.POSITIVE_INFINITY);
  const sockets = connectedMs.map((_, index) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(requestStart(slowPart, path)));
    const timer = setInterval(() => sendByte(socket, slowPart), BYTE_EVERY_MS);
    const end = () => {
      clearInterval(timer);
      connectedMs[index] = Math.min(connectedMs[index] ?? 0, performance.now() - begin);
    };
    socket.resume();
    socket.on("error", end).on("end", end).on("close", end);
    return socket;
  });
  return {
    connectedMs: () => [...connectedMs],
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function requestStart(slowPart: SlowPart, path: string): string {
  const start = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `;
  switch (slowPart) {
    case "nothing":
      return "";
    case "headers":
      return start;
    case "body":
      return `${start}1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
  }
}

function sendByte(socket: Socket, slowPart: SlowPart): void {
  if (slowPart !== "nothing" && socket.writable) socket.write("x");
}
