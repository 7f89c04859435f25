import { mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DOMAIN_PATTERN } from "@tapthru/proto/rules/short-code";

/** The directory that nginx reads: `{host}.pem` with key and chain, and `{host}.hsts` for HSTS. */
export interface CertificateFiles {
  /** @throws RangeError for what is no name of a host, such as a path */
  write(host: string, pem: string, hsts: boolean): Promise<void>;
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

  const fileOf = (host: string, ending: "pem" | "hsts") => join(directory, `${host}.${ending}`);
  const complete = join(directory, COMPLETE);

  return {
    async write(host, pem, hsts) {
      if (!DOMAIN_PATTERN.test(host)) throw new RangeError("Not the name of a host");
      await replaceFile(fileOf(host, "pem"), pem);
      if (hsts) await replaceFile(fileOf(host, "hsts"), "");
      else await rm(fileOf(host, "hsts"), { force: true });
    },
    async keepOnly(hosts) {
      const removed = new Set<string>();
      for (const name of await readdir(directory)) {
        const host = /^(.+)[.](?:pem|hsts)$/.exec(name)?.[1];
        if (host !== undefined && !hosts.has(host)) removed.add(host);
      }
      for (const host of removed) {
        await rm(fileOf(host, "pem"), { force: true });
        await rm(fileOf(host, "hsts"), { force: true });
      }
      return [...removed];
    },
    markComplete: () => replaceFile(complete, ""),
    markRound: () => utimes(complete, new Date(), new Date()).catch(() => {}),
  };
}

/** Never leaves a part of a file: nginx may read it at any moment. */
export async function replaceFile(file: string, content: string | Buffer): Promise<void> {
  await writeFile(`${file}${UNFINISHED}`, content, { mode: 0o600, flush: true });
  await rename(`${file}${UNFINISHED}`, file);
}
