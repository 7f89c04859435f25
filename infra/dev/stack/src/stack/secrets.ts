import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";

/** Loose, so that a newer version's secrets stay in the file. */
const secretsSchema = z.looseObject({
  postgresPassword: z.string(),
  apiPassword: z.string(),
  workerPassword: z.string(),
  redirectPassword: z.string(),
  sessionKey: z.string(),
  encryptionKey: z.string(),
  webhookKey: z.string(),
  outcomeKey: z.string(),
});

/**
 * The secrets of the stack. They are created once, in a folder that only the user can read, so that data encrypted
 * with them stays readable.
 */
export type Secrets = z.infer<typeof secretsSchema>;

export function secretsFile(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

export function readSecrets(dataDir: string): { secrets: Secrets; areNew: boolean } {
  const file = secretsFile(dataDir);
  const areNew = !existsSync(file);
  const stored: object = areNew ? {} : JSON.parse(readFileSync(file, "utf8"));
  const created = Object.keys(secretsSchema.shape).map((name) => [name, random()]);
  const secrets = secretsSchema.parse({ ...Object.fromEntries(created), ...stored });
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return { secrets, areNew };
}

function random(): string {
  return randomBytes(32).toString("base64url");
}
