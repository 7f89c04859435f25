import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EnvError } from "@tapthru/core/platform/config/env";
import * as z from "zod/mini";

export interface Identity {
  projectId: string;
  /** Absolute path of the service account's key. */
  credentialsFile: string;
}

export const identitySettings = {
  FIREBASE_WEB_CONFIG: z.optional(z.string()),
  GOOGLE_APPLICATION_CREDENTIALS: z.optional(z.string()),
};

const WebConfig = z.object({ apiKey: z.string(), authDomain: z.string(), projectId: z.string() });

/**
 * The Firebase project of FIREBASE_WEB_CONFIG. Null without it: the identity provider that is built into the api.
 * @throws EnvError if the project's configuration is invalid
 */
export function chooseIdentity({
  FIREBASE_WEB_CONFIG,
  GOOGLE_APPLICATION_CREDENTIALS,
}: z.output<z.ZodMiniObject<typeof identitySettings>>): Identity | null {
  if (FIREBASE_WEB_CONFIG === undefined) return null;
  const { projectId } = parseWebConfig(FIREBASE_WEB_CONFIG);
  if (GOOGLE_APPLICATION_CREDENTIALS === undefined) {
    throw new EnvError(["FIREBASE_WEB_CONFIG requires GOOGLE_APPLICATION_CREDENTIALS."]);
  }
  const credentialsFile = resolve(GOOGLE_APPLICATION_CREDENTIALS);
  if (!existsSync(credentialsFile)) {
    throw new EnvError(["GOOGLE_APPLICATION_CREDENTIALS names a file that does not exist."]);
  }
  return { projectId, credentialsFile };
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
