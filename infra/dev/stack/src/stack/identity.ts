import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EnvError } from "@tapthru/runtime/config/env";
import * as z from "zod/mini";

/** Firebase as the identity provider: its emulator, or a project. */
export interface Identity {
  projectId: string;
  /** Options of the Firebase SDK in the browser. */
  webConfig: Readonly<Record<string, string>>;
  /** "host:port"; null with a Firebase project. */
  emulatorHost: string | null;
  /** Absolute path of the service account's key; null with the emulator. */
  credentialsFile: string | null;
}

/** With a name that starts with "demo-", Google's libraries connect to emulators only. */
export const EMULATED_PROJECT = "demo-tapthru";

export const identitySettings = {
  FIREBASE_WEB_CONFIG: z.optional(z.string()),
  GOOGLE_APPLICATION_CREDENTIALS: z.optional(z.string()),
};

const WebConfig = z.intersection(
  z.object({ apiKey: z.string(), authDomain: z.string(), projectId: z.string() }),
  z.record(z.string(), z.string()),
);

/**
 * A Firebase project if FIREBASE_WEB_CONFIG is set, else the emulator if its port is given. Null: the identity provider
 * that is built into the api.
 * @throws EnvError if the project's configuration is invalid
 */
export function chooseIdentity(
  settings: z.output<z.ZodMiniObject<typeof identitySettings>>,
  emulatorPort: number | null,
): Identity | null {
  const { FIREBASE_WEB_CONFIG, GOOGLE_APPLICATION_CREDENTIALS } = settings;
  if (FIREBASE_WEB_CONFIG === undefined)
    return emulatorPort === null ? null : emulated(`127.0.0.1:${emulatorPort}`);
  const webConfig = parseWebConfig(FIREBASE_WEB_CONFIG);
  if (GOOGLE_APPLICATION_CREDENTIALS === undefined) {
    throw new EnvError(["FIREBASE_WEB_CONFIG requires GOOGLE_APPLICATION_CREDENTIALS."]);
  }
  const credentialsFile = resolve(GOOGLE_APPLICATION_CREDENTIALS);
  if (!existsSync(credentialsFile)) {
    throw new EnvError(["GOOGLE_APPLICATION_CREDENTIALS names a file that does not exist."]);
  }
  return { projectId: webConfig.projectId, webConfig, emulatorHost: null, credentialsFile };
}

function emulated(emulatorHost: string): Identity {
  const webConfig = {
    apiKey: "demo",
    authDomain: `${EMULATED_PROJECT}.firebaseapp.com`,
    projectId: EMULATED_PROJECT,
  };
  return { projectId: EMULATED_PROJECT, webConfig, emulatorHost, credentialsFile: null };
}

function parseWebConfig(text: string): z.output<typeof WebConfig> {
  try {
    return WebConfig.parse(JSON.parse(text));
  } catch {
    throw new EnvError([
      "FIREBASE_WEB_CONFIG must be the project's web configuration as JSON, with apiKey, authDomain and projectId.",
    ]);
  }
}
