import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Created once, in a folder that only the user can read, so that encrypted data stays readable. */
export interface Secrets {
  postgresPassword: string;
  apiPassword: string;
  workerPassword: string;
  redirectPassword: string;
  sessionKey: string;
  encryptionKey: string;
  outcomeKey: string;
}

export function secretsFile(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

export function readSecrets(dataDir: string): { secrets: Secrets; areNew: boolean } {
  const file = secretsFile(dataDir);
  const areNew = !existsSync(file);
  const kept: Partial<Secrets> = areNew ? {} : JSON.parse(readFileSync(file, "utf8"));
  const secrets = { ...makeSecrets(), ...kept };
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return { secrets, areNew };
}

function makeSecrets(): Secrets {
  return {
    postgresPassword: random(),
    apiPassword: random(),
    workerPassword: random(),
    redirectPassword: random(),
    sessionKey: random(),
    encryptionKey: random(),
    outcomeKey: random(),
  };
}

function random(): string {
  return randomBytes(32).toString("base64url");
}
