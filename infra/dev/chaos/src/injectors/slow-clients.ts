import { connect, type Socket } from "node:net";

type Sends = "headers" | "body" | "nothing";

interface SlowClientsPlan {
  port: number;
  count: number;
  /** What they take so long for: a byte every five seconds. */
  sends: Sends;
  /** Where they claim to post to. */
  path: string;
}

export interface SlowClients {
  /** How long each was let stay, in milliseconds; of one that is still there: infinite. */
  stays(): number[];
  stop(): void;
}

const BYTE_EVERY_MS = 5_000;

export function openSlowClients({ port, count, sends, path }: SlowClientsPlan): SlowClients {
  const begin = performance.now();
  const stays = Array.from({ length: count }, () => Number.POSITIVE_INFINITY);
  const sockets = stays.map((_, index) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(opening(sends, path)));
    const drip = setInterval(() => dribble(socket, sends), BYTE_EVERY_MS);
    const end = () => {
      clearInterval(drip);
      stays[index] = Math.min(stays[index] ?? 0, performance.now() - begin);
    };
    socket.resume();
    socket.on("error", end).on("end", end).on("close", end);
    return socket;
  });
  return {
    stays: () => [...stays],
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function opening(sends: Sends, path: string): string {
  const start = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `;
  switch (sends) {
    case "nothing":
      return "";
    case "headers":
      return start;
    case "body":
      return `${start}1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
  }
}

function dribble(socket: Socket, sends: Sends): void {
  if (sends !== "nothing" && socket.writable) socket.write("x");
}
