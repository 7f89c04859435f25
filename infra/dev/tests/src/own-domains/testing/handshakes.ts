import { once } from "node:events";
import { connect } from "node:tls";
import { sendRequest } from "@tapthru/gateway/testing/send-request";

/** Opens a connection and closes it. @returns the serial number of the certificate, which must be valid for the host */
export async function handshake(port: number, host: string, ca: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, servername: host, ca, timeout: 5_000 });
  try {
    socket.once("timeout", () => socket.destroy(new Error("timeout")));
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}

export const getByHttps = (port: number, host: string, ca: string, path = "/mug") =>
  sendRequest(`https://127.0.0.1:${port}${path}`, { servername: host, ca, headers: { Host: host } });

/** Handshakes with each host on each port, several at once. @returns the first failures */
export async function handshakes(hosts: readonly string[], ports: readonly number[], ca: string) {
  const targets = hosts.flatMap((host) => ports.map((port) => ({ host, port })));
  const failures: string[] = [];
  const next = targets.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const { host, port } of next) {
        try {
          await handshake(port, host, ca);
        } catch (error) {
          failures.push(`${host}:${port} ${error}`);
        }
      }
    }),
  );
  return failures.slice(0, 3);
}
