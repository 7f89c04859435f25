import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { createCertificate } from "@tapthru/amazon-stand-in/certificate";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { base64url, unsignedToken } from "../../testing/unsigned-token.ts";
import { createFirebaseIdentity } from "./firebase-identity.ts";

const google = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const otherKeys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const publicKey = google.publicKey.export({ type: "spki", format: "pem" }).toString();

const now = Math.floor(Date.now() / 1_000);
const claims = {
  iss: "https://securetoken.google.com/the-project",
  aud: "the-project",
  sub: "ada",
  email: "ada@example.com",
  auth_time: now - 60,
  iat: now - 60,
  exp: now + 3_600,
};

function token(
  changes: object = {},
  { header = {}, key = google.privateKey }: { header?: object; key?: KeyObject } = {},
): string {
  const signed = `${base64url({ alg: "RS256", kid: "one", ...header })}.${base64url({ ...claims, ...changes })}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

function unsigned(): string {
  return `${base64url({ alg: "none" })}.${base64url(claims)}.`;
}

function signedWithPublicKey(): string {
  const signed = `${base64url({ alg: "HS256", kid: "one" })}.${base64url(claims)}`;
  return `${signed}.${createHmac("sha256", publicKey).update(signed).digest("base64url")}`;
}

let server: Server;
let isUnreachable: boolean;
let connections: number;

class GoogleAgent extends Agent {
  override createConnection() {
    connections++;
    const { port } = server.address() as AddressInfo;
    return connect({ port: isUnreachable ? 1 : port, host: "127.0.0.1", rejectUnauthorized: false });
  }
}

const { logger, lines } = createTestLogger();
const provider = () =>
  createFirebaseIdentity({ projectId: "the-project", usesEmulator: false, logger, httpAgent: new GoogleAgent() });

beforeAll(async () => {
  server = createServer(await createCertificate(), (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.setHeader("cache-control", "public, max-age=3600");
    response.end(JSON.stringify({ one: publicKey }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => server.close());
beforeEach(() => {
  isUnreachable = false;
  connections = 0;
});

describe("an ID token", () => {
  it("contains the account and the time of the login", async () => {
    expect(await provider().verify(token())).toEqual({
      kind: "verified",
      identity: { uid: "ada", email: "ada@example.com", isEmailVerified: false, authTime: now - 60, isOperator: null },
    });
  });

  const forged: [string, string][] = [
    ["that is empty", ""],
    ["that is not a JWT", "garbage"],
    ["with three invalid parts", "a.b.c"],
    ["without a signature", unsigned()],
    [
      "in the format of the emulator, if no emulator is configured",
      unsignedToken({ uid: "ada", email: claims.email }, claims.aud),
    ],
    ["signed with the public key as an HMAC secret", signedWithPublicKey()],
    ["of another project", token({ aud: "another", iss: claims.iss })],
    ["of another issuer", token({ iss: "https://securetoken.google.com/another" })],
    ["without a subject", token({ sub: "" })],
    ["with a long subject", token({ sub: "x".repeat(129) })],
    ["without a key id", token({}, { header: { kid: undefined } })],
  ];
  it.each(forged)("%s is rejected without a request to Google", async (_title, text) => {
    isUnreachable = true;
    expect(await provider().verify(text)).toEqual({ kind: "refused" });
    expect(connections).toBe(0);
  });

  it.each([
    ["has expired", token({ exp: now - 1 })],
    ["is signed with another key", token({}, { key: otherKeys.privateKey })],
    ["has an unknown key id", token({}, { header: { kid: "two" } })],
  ])("is rejected if it %s", async (_title, text) => {
    expect(await provider().verify(text)).toEqual({ kind: "refused" });
  });

  it("an ID token cannot be verified while Google is unreachable, and can be verified afterwards", async () => {
    const identity = provider();
    isUnreachable = true;
    expect(await identity.verify(token())).toEqual({ kind: "unavailable" });
    expect(await identity.verify(token({}, { key: otherKeys.privateKey }))).toEqual({ kind: "unavailable" });
    isUnreachable = false;
    expect(await identity.verify(token())).toMatchObject({ kind: "verified" });
    const records = lines.map(({ level, dependency }) => [level, dependency]);
    expect(records).toEqual([
      ["warn", "identity provider"],
      ["info", "identity provider"],
    ]);
  });
});
