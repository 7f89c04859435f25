import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { localDatabaseUrl } from "@tapthru/stack/servers/database";
import type { Settings } from "@tapthru/stack/stack/settings";
import { withTestStack } from "@tapthru/stack/stack/test-stack";
import { createApiKey, createSession } from "@tapthru/stack/testing/callers";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { expect, it } from "vitest";

const COMMON_SETTINGS = join(import.meta.dirname, "schemathesis.toml");

/** Who sends the requests: further settings of schemathesis, and the environment variables to which they refer. */
interface Caller {
  settings: string;
  env: NodeJS.ProcessEnv;
}

const WITH_KEY = `
[auth.openapi.apiKey]
bearer = "\${API_KEY}"
`;

const WITH_SESSION = `
# They end the session with which all requests are sent, or delete its account, whose email address replies contain.
[[operations]]
include-operation-id = ["deleteAccount", "endAllSessions", "endSession", "logout"]
enabled = false

[auth.openapi.session]
api_key = "\${SESSION}"
`;

const CALLERS: Record<string, (baseUrl: string, settings: Settings) => Promise<Caller>> = {
  "without credentials": async () => ({ settings: "", env: {} }),
  "with a session": async (baseUrl) => {
    const cookies = await createSession(baseUrl);
    // schemathesis sends one cookie of this name: its value, and the cookie with its signature.
    return { settings: WITH_SESSION, env: { SESSION: cookies.replace(/^[^=]+=/, "") } };
  },
  "with an API key": async (baseUrl, settings) => ({
    settings: WITH_KEY,
    env: { API_KEY: await createApiKey(baseUrl, localDatabaseUrl(settings)) },
  }),
};

const SUMMARY = /^=+ SUMMARY =+$/m;

skipWithout("schemathesis");

it("the api responds as its document says, to generated requests of each kind of caller", async ({ signal }) => {
  await withTestStack(signal, async ({ baseUrl, settings: stack }) => {
    for (const [title, createCaller] of Object.entries(CALLERS)) {
      const folder = await mkdtemp(join(stack.dataDir, "contract-"));
      const { settings, env } = await createCaller(baseUrl, stack);
      const settingsFile = join(folder, "schemathesis.toml");
      await writeFile(settingsFile, (await readFile(COMMON_SETTINGS, "utf8")) + settings);
      const { failed, all } = await execa(
        "schemathesis",
        ["--config-file", settingsFile, "run", "--no-color", `${baseUrl}/api/openapi.json`],
        { all: true, cwd: folder, reject: false, env: { ...env, CONTRACT_BASE_URL: baseUrl } },
      );
      console.log(all.slice(all.search(SUMMARY)));
      expect(failed, `${title}\n${all}`).toBe(false);
    }
  });
}, 1_200_000);
