import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

export interface Credentials {
  /** The API server writes its certificate and its key into this folder. */
  certificates: string;
  /** The API server signs the tokens of service accounts with this key. */
  serviceAccountKey: string;
  /** Token file of the API server with the administrator's token. */
  tokens: string;
  kubeconfig: string;
}

/** Writes the credentials of the API server on this port and of its administrator. */
export function createCredentials(folder: string, apiPort: number): Credentials {
  const path = (name: string) => join(folder, name);
  const secret = { mode: 0o600 };
  const token = randomBytes(24).toString("hex");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs1", format: "pem" });
  const cluster = {
    server: `https://127.0.0.1:${apiPort}`,
    "certificate-authority": path("certificates/apiserver.crt"),
  };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "tapthru", cluster }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "tapthru", context: { cluster: "tapthru", user: "admin" } }],
    "current-context": "tapthru",
  };
  writeFileSync(path("service-accounts.pem"), pem, secret);
  writeFileSync(path("tokens.csv"), `${token},admin,admin,system:masters\n`, secret);
  writeFileSync(path("kubeconfig"), stringify(kubeconfig), secret);
  return {
    certificates: path("certificates"),
    serviceAccountKey: path("service-accounts.pem"),
    tokens: path("tokens.csv"),
    kubeconfig: path("kubeconfig"),
  };
}
