import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { TLSSocket } from "node:tls";
import { createCertificate } from "@tapthru/amazon-stand-in/certificate";
import { createLogger } from "@tapthru/core/platform/logger";
import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import * as z from "zod/mini";

let impostor: Server;
let port: number;
let received: string;

beforeAll(async () => {
  const { key, cert } = await createCertificate();
  impostor = createServer((socket) => {
    socket.once("data", () => {
      socket.write("S");
      const secured = new TLSSocket(socket, { isServer: true, key, cert });
      secured.on("error", () => {});
      secured.on("data", (bytes) => {
        received += bytes.toString("latin1");
        secured.destroy();
      });
    });
    socket.on("error", () => {});
  });
  await once(impostor.listen(0, "127.0.0.1"), "listening");
  port = (impostor.address() as AddressInfo).port;
});
afterAll(() => impostor.close());
beforeEach(() => {
  received = "";
});

async function connect(url: string) {
  const limits = { maxConnections: 1, statementTimeoutMs: 2_000, acquireTimeoutMs: 2_000 };
  const logger = createLogger({ service: "worker", level: "fatal" });
  const postgres = createPostgres({ url, applicationName: "test", ...limits, logger });
  await postgres.any(sql.type(z.object({}))`SELECT`).finally(() => postgres.stop?.());
}

it("sends nothing to an impostor with sslmode=require", async () => {
  await expect(connect(urlBy("require"))).rejects.toThrow();
  expect(received).toBe("");
});

it("sends credentials with sslmode=no-verify", async () => {
  await expect(connect(urlBy("no-verify"))).rejects.toThrow();
  expect(received).toContain("worker");
});

function urlBy(sslmode: string): string {
  return `postgres://worker:secret@localhost:${port}/tapthru?sslmode=${sslmode}`;
}
