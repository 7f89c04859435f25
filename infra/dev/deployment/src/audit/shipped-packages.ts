import { posix } from "node:path";
import { parse } from "yaml";
import * as z from "zod/mini";

/** The workspace packages in the images; a test compares them with docker-compose.yml. */
export const SHIPPED_WORKSPACES = [
  "infra/gateway",
  "infra/postgres",
  "services/api",
  "services/redirect",
  "services/worker",
  "web",
];

const Versions = z._default(z.record(z.string(), z.string()), {});
const Specified = z._default(z.record(z.string(), z.object({ version: z.string() })), {});
const Lockfile = z.object({
  lockfileVersion: z.literal("9.0"),
  importers: z.record(
    z.string(),
    z.object({ dependencies: Specified, optionalDependencies: Specified }),
  ),
  snapshots: z.record(
    z.string(),
    z.object({ dependencies: Versions, optionalDependencies: Versions }),
  ),
});
type Lockfile = z.infer<typeof Lockfile>;

/**
 * Names and versions of all production dependencies of these workspace packages, including those of other workspace
 * packages that they use.
 * @param text pnpm-lock.yaml
 * @throws ZodError for an unknown lockfile version
 */
export function shippedPackages(
  text: string,
  shipped: readonly string[] = SHIPPED_WORKSPACES,
): Map<string, string[]> {
  const lockfile = Lockfile.parse(parse(text));
  const found = new Set<string>();
  const pending = shipped.flatMap((path) => keysOfImporter(lockfile, path));
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    const { [key]: importer } = lockfile.importers;
    pending.push(...(importer ? keysOfImporter(lockfile, key) : keysOfPackage(lockfile, key)));
  }
  return versionsByName([...found].filter((key) => !(key in lockfile.importers)));
}

function keysOfImporter({ importers }: Lockfile, path: string): string[] {
  const importer = importers[path];
  if (importer === undefined) throw new Error(`The lockfile has no workspace package ${path}.`);
  const all = { ...importer.dependencies, ...importer.optionalDependencies };
  return Object.entries(all).map(([name, { version }]) =>
    version.startsWith("link:")
      ? posix.join(path, version.slice("link:".length))
      : keyOf(name, version),
  );
}

function keysOfPackage({ snapshots }: Lockfile, key: string): string[] {
  const snapshot = snapshots[key];
  if (snapshot === undefined) throw new Error(`The lockfile has no package ${key}.`);
  const all = { ...snapshot.dependencies, ...snapshot.optionalDependencies };
  return Object.entries(all).map(([name, version]) => keyOf(name, version));
}

/** The version of an alias contains the name of the real package. */
function keyOf(name: string, version: string): string {
  return /^@?[^@(]+@/.test(version) ? version : `${name}@${version}`;
}

function versionsByName(keys: string[]): Map<string, string[]> {
  const byName = new Map<string, Set<string>>();
  for (const key of keys) {
    const [, name = "", version = ""] = /^(@?[^@]+)@([^(]+)/.exec(key) ?? [];
    byName.set(name, (byName.get(name) ?? new Set()).add(version));
  }
  return new Map([...byName].map(([name, versions]) => [name, [...versions].sort()]));
}
