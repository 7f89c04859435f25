import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";

/** An authority that no program knows by default. */
export interface TestAuthority {
  certificate: string;
  /** PEM, for a host or an IPv4 address. The certificate ends after a day by default. */
  issue(host: string, notAfter?: Date): Promise<{ certificate: string; key: string }>;
}

export interface TestCertificates {
  authority: string;
  files: { authority: string; certificate: string; key: string };
  remove(): Promise<void>;
}

const OPTIONS = { keyType: "ec", algorithm: "sha256" } as const;
const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000);

export async function createTestAuthority(): Promise<TestAuthority> {
  const { cert, private: caKey } = await generate([{ name: "commonName", value: "An authority of tests" }], {
    ...OPTIONS,
    notAfterDate: tomorrow(),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return {
    certificate: cert,
    async issue(host, notAfterDate = tomorrow()) {
      const isAddress = /^[0-9.]+$/.test(host);
      const issued = await generate([{ name: "commonName", value: host }], {
        ...OPTIONS,
        notAfterDate,
        ca: { key: caKey, cert },
        extensions: [
          { name: "basicConstraints", cA: false },
          {
            name: "subjectAltName",
            altNames: [isAddress ? { type: 7, ip: host } : { type: 2, value: host }],
          },
        ],
      });
      return { certificate: issued.cert, key: issued.private };
    },
  };
}

export async function createTestCertificates(): Promise<TestCertificates> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-certificates-"));
  const authority = await createTestAuthority();
  const server = await authority.issue("127.0.0.1");
  const files = {
    authority: join(folder, "authority.pem"),
    certificate: join(folder, "certificate.pem"),
    key: join(folder, "key.pem"),
  };
  await writeFile(files.authority, authority.certificate);
  await writeFile(files.certificate, server.certificate);
  await writeFile(files.key, server.key, { mode: 0o600 });
  return {
    authority: authority.certificate,
    files,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
