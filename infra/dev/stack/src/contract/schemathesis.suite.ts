import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createApiKey, createSession, type StackAddresses } from "./callers.ts";
import { type Caller, runSchemathesis } from "./run-schemathesis.ts";

const {
  CONTRACT_BASE_URL = "http://localhost:8080",
  FIREBASE_AUTH_EMULATOR_HOST = "127.0.0.1:9099",
} = process.env;
const STACK: StackAddresses = {
  baseUrl: CONTRACT_BASE_URL,
  emulatorHost: FIREBASE_AUTH_EMULATOR_HOST,
};

const KEY_SETTINGS = `
[auth.openapi.apiKey]
bearer = "\${API_KEY}"
`;

const SESSION_SETTINGS = `
# They end the session with which all requests are sent, or delete its account, whose email address replies contain.
[[operations]]
include-operation-id = ["deleteAccount", "endAllSessions", "endSession", "logout"]
enabled = false

[auth.openapi.session]
api_key = "\${SESSION}"
`;

const CALLERS: [string, () => Promise<Caller>][] = [
  ["without credentials", async () => ({ settings: "", env: {} })],
  [
    "with a session",
    async () => {
      const cookies = await createSession(STACK);
      // schemathesis sends one cookie of this name: its value, and the cookie with its signature.
      return { settings: SESSION_SETTINGS, env: { SESSION: cookies.replace(/^[^=]+=/, "") } };
    },
  ],
  [
    "with an API key",
    async () => ({ settings: KEY_SETTINGS, env: { API_KEY: await createApiKey(STACK) } }),
  ],
];

const SUMMARY = /^=+ SUMMARY =+$/m;

test.each(CALLERS)("the api responds as its document says %s", async (_title, createCaller) => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-contract-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { passed, output } = await runSchemathesis(STACK.baseUrl, await createCaller(), folder);
  console.log(output.slice(output.search(SUMMARY)));
  expect(passed, output).toBe(true);
});
