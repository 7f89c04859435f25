import { connect, createServer } from "node:net";

export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export async function isPortOpen(port: number, host = "127.0.0.1"): Promise<boolean> {
  const socket = connect({ port, host });
  return new Promise((resolve) => {
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
