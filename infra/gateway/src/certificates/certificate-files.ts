import { mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DOMAIN_PATTERN } from "@tapthru/proto/rules/short-code";

/** The directory that nginx reads: `{host}.pem` with key and chain, and `{host}.hsts` for HSTS. */
export interface CertificateFiles {
  write(host: string, pem: string): Promise<void>;
  setHsts(host: string, isOn: boolean): Promise<void>;
  /** Removes the files of all other hosts. @returns these hosts */
  keepOnly(hosts: ReadonlySet<string>): Promise<string[]>;
  /** Writes the file that health checks look for. It stays, so that a later start needs no Postgres. */
  markComplete(): Promise<void>;
  /** Renews the time of that file, if it is there: a copier that hangs lets it grow old. */
  markRound(): Promise<void>;
}

const UNFINISHED = ".new";
const COMPLETE = ".complete";

export async function openCertificateFiles(directory: string): Promise<CertificateFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (name.endsWith(UNFINISHED)) await rm(join(directory, name));
  }

  /** Never leaves a part of a file: nginx may read it at any moment. */
  async function replace(name: string, text: string): Promise<void> {
    const file = join(directory, name);
    await writeFile(`${file}${UNFINISHED}`, text, { mode: 0o600, flush: true });
    await rename(`${file}${UNFINISHED}`, file);
  }

  async function remove(host: string): Promise<void> {
    for (const ending of ["pem", "hsts"]) await rm(join(directory, `${host}.${ending}`), { force: true });
  }

  return {
    async write(host, pem) {
      await replace(`${checked(host)}.pem`, pem);
    },
    async setHsts(host, isOn) {
      const name = `${checked(host)}.hsts`;
      if (isOn) await replace(name, "");
      else await rm(join(directory, name), { force: true });
    },
    async keepOnly(hosts) {
      const removed = new Set<string>();
      for (const name of await readdir(directory)) {
        const host = /^(.+)[.](?:pem|hsts)$/.exec(name)?.[1];
        if (host !== undefined && !hosts.has(host)) removed.add(host);
      }
      for (const host of removed) await remove(host);
      return [...removed];
    },
    markComplete: () => replace(COMPLETE, ""),
    markRound: () => utimes(join(directory, COMPLETE), new Date(), new Date()).catch(() => {}),
  };
}

/** @throws RangeError for what is no name of a host, such as a path */
function checked(host: string): string {
  if (!DOMAIN_PATTERN.test(host)) throw new RangeError("Not the name of a host");
  return host;
}
