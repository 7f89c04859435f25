import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";

/** The certificate of a server on 127.0.0.1, and of the authority that signed it, which no program knows by default. */
export interface TestCertificates {
  /** The authority's certificate. */
  authority: string;
  files: { authority: string; certificate: string; key: string };
  remove(): Promise<void>;
}

export async function createTestCertificates(): Promise<TestCertificates> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-certificates-"));
  const options = {
    keyType: "ec" as const,
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + 24 * 60 * 60 * 1000),
  };
  const authority = await generate([{ name: "commonName", value: "An authority of tests" }], {
    ...options,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    ...options,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
    ],
  });
  const files = {
    authority: join(folder, "authority.pem"),
    certificate: join(folder, "certificate.pem"),
    key: join(folder, "key.pem"),
  };
  await writeFile(files.authority, authority.cert);
  await writeFile(files.certificate, server.cert);
  await writeFile(files.key, server.private, { mode: 0o600 });
  return {
    authority: authority.cert,
    files,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
