import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { crypto } from "acme-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAuthority } from "./authority.ts";

const HOST = `${"a".repeat(60)}.${"b".repeat(60)}.example`;

let server: ReturnType<typeof createServer>;
let url: string;
let status: "valid" | "pending" | "no response";
let csr: Buffer;

beforeEach(async () => {
  status = "valid";
  server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const body = await text(request);
  const send = (value: object | string, code = 200) =>
    response
      .writeHead(code, { "Replay-Nonce": "n", Location: `${url}/order` })
      .end(typeof value === "string" ? value : JSON.stringify(value));
  switch (request.url) {
    case "/directory":
      return send({ newNonce: `${url}/nonce`, newOrder: `${url}/new-order` });
    case "/authorization": {
      const challenges = [{ type: "http-01", url: `${url}/challenge`, token: "t" }];
      return send({ status, identifier: { type: "dns", value: HOST }, challenges });
    }
    case "/challenge":
      if (status === "no response") return server.emit("waiting", response);
      send({ status, url: `${url}/challenge` });
      if (status === "pending") status = "no response";
      return undefined;
    case "/finalize": {
      const { payload } = JSON.parse(body);
      csr = Buffer.from(JSON.parse(Buffer.from(payload, "base64url").toString()).csr, "base64url");
      return send({ status: "valid", certificate: `${url}/certificate` });
    }
    case "/certificate":
      return send("the chain");
    case "/new-order": {
      const authorizations = [`${url}/authorization`];
      return send({ status: "pending", finalize: `${url}/finalize`, authorizations }, 201);
    }
    default:
      return send({});
  }
}

async function order(timeoutMs?: number) {
  const key = (await crypto.createPrivateEcdsaKey()).toString();
  return createAuthority(`${url}/directory`, timeoutMs).order({ url: `${url}/account`, key, thumbprint: "t" }, HOST);
}

it("an order names its host as alternative name alone: a common name has 64 characters at most", async () => {
  await expect(order()).resolves.toMatchObject({ chain: "the chain" });
  const commonName = Buffer.from("0603550403", "hex");
  expect(csr.includes(HOST)).toBe(true);
  expect(csr.includes(commonName)).toBe(false);
});

it("an order ends at its deadline, and with it the request that has no response", async () => {
  const waiting: ServerResponse[] = [];
  server.on("waiting", (response) => waiting.push(response));
  // On a slow machine an order does not get that far in two seconds.
  for (let ms = 2_000; waiting.length === 0; ms *= 3) {
    status = "pending";
    await expect(order(ms)).rejects.toMatchObject({ problem: "authority-unavailable" });
  }
  for (const response of waiting) if (!response.closed) await once(response, "close");
});

it("says that an authority could not be reached", async () => {
  server.close();
  await once(server, "close");
  const authority = createAuthority(`${url}/directory`);
  await expect(authority.createAccount(null)).rejects.toMatchObject({
    problem: "authority-unavailable",
    message: "The certificate authority could not be reached",
  });
});
