import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "./testing/eventually.ts";
import { unsignedToken } from "./testing/unsigned-token.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const PROJECT = "the-project";
const ORIGIN = "https://go.example";

let folder: string;
let database: ThrowawayDatabase;
let production: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-api-"));
  database = await createThrowawayDatabase();
  const credentials = join(folder, "service-account.json");
  await writeFile(credentials, JSON.stringify(serviceAccount()));
  production = {
    PATH: process.env.PATH,
    TAPTHRU_ENV: "production",
    PUBLIC_BASE_URL: ORIGIN,
    PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    DATABASE_URL: await database.urlAs("tapthru_api"),
    REDIS_CACHE_URL: process.env.TEST_REDIS_URL,
    REDIS_QUEUE_URL: process.env.TEST_REDIS_URL,
    SESSION_KEYS: "a-key-that-signs-the-cookies-of-a-test",
    FIREBASE_PROJECT_ID: PROJECT,
    GOOGLE_APPLICATION_CREDENTIALS: credentials,
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function serviceAccount(): object {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return {
    type: "service_account",
    project_id: PROJECT,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    client_email: "test@the-project.iam.gserviceaccount.com",
  };
}

function start(settings: NodeJS.ProcessEnv) {
  const api = spawn(process.execPath, [MAIN], { env: settings, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void api.kill("SIGKILL"));
  return api;
}

describe("in production the api", () => {
  it("exits with code 1 and names the setting if the emulator is configured", async () => {
    const api = start({ ...production, FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" });
    const [[code], output] = await Promise.all([once(api, "exit"), text(api.stdout)]);
    expect(code).toBe(1);
    expect(output).toContain("FIREBASE_AUTH_EMULATOR_HOST must not be set in production");
  });

  it("rejects unsigned tokens on every route that reads a token", async () => {
    const api = start(production);
    api.stdout.resume();
    const url = `http://127.0.0.1:${production.PORT}`;
    const isUp = () => fetch(`http://127.0.0.1:${production.ADMIN_PORT}/readyz`);
    await eventually(async () => expect((await isUp()).status).toBe(200));
    const tokens = [
      { alg: "none", typ: "JWT" },
      { alg: "none", kid: "one" },
    ].map((header) => unsignedToken({ uid: "ada", email: "ada@example.com" }, PROJECT, header));
    const responses: [string, number, string][] = [];
    for (const token of tokens) {
      const authorization = `Bearer ${token}`;
      const headers = { authorization, origin: ORIGIN, "content-type": "application/json" };
      for (const [method, path, body] of [
        ["POST", "/api/users", { firebaseUid: "ada", email: "ada@example.com", username: "ada" }],
        ["POST", "/api/login", { firebaseUid: "ada" }],
        ["POST", "/api/generate", { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W" }],
        ["GET", "/api/users/ada", undefined],
      ] as const) {
        const sent = body === undefined ? null : JSON.stringify(body);
        const response = await fetch(url + path, { method, headers, body: sent });
        responses.push([path, response.status, await response.text()]);
      }
    }

    const expectedPerToken = [
      ["/api/users", 401, ERRORS["bad-token"].message],
      ["/api/login", 401, ERRORS["bad-token"].message],
      ["/api/generate", 401, ERRORS["bad-token"].message],
      ["/api/users/ada", 404, ERRORS["account-not-found"].message],
    ];
    expect(responses).toEqual([...expectedPerToken, ...expectedPerToken]);
  });
});
