import { relative, sep } from "node:path";
import * as z from "zod/mini";

/** Line coverage of a package, in lines. */
export interface PackageCoverage {
  name: string;
  covered: number;
  total: number;
}

const lines = z.object({ lines: z.object({ total: z.number(), covered: z.number() }) });

/** Istanbul's json-summary: by absolute path, with the total. */
export const coverageSummary = z.record(z.string(), lines);

/** By package, sorted by name. */
export function coverageByPackage(
  { total: _total, ...files }: z.infer<typeof coverageSummary>,
  checkout: string,
): PackageCoverage[] {
  const names = Object.keys(files).map((file) => ({
    file,
    name: packageOf(relative(checkout, file)),
  }));
  return [...Map.groupBy(names, ({ name }) => name)]
    .map(([name, group]) => {
      const counts = group.flatMap(({ file }) => files[file]?.lines ?? []);
      return {
        name,
        covered: counts.reduce((sum, { covered }) => sum + covered, 0),
        total: counts.reduce((sum, { total }) => sum + total, 0),
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** "infra/dev/local" of "infra/dev/local/src/commands/test.ts", "proto" of "proto/src/link.ts". */
function packageOf(path: string): string {
  const folders = path.split(sep);
  const depth = path.startsWith(`infra${sep}dev${sep}`)
    ? 3
    : /^(infra|services)$/.test(folders[0] ?? "")
      ? 2
      : 1;
  return folders.slice(0, depth).join("/");
}

/** A line for each package: the percentage of its lines that tests ran. */
export function coverageTable(packages: readonly PackageCoverage[]): string {
  const width = Math.max(...packages.map(({ name }) => name.length));
  const tableLines = packages.map(({ name, covered, total }) => {
    const share = total === 0 ? 100 : (100 * covered) / total;
    return `${name.padEnd(width)} ${share.toFixed(1).padStart(6)} %  ${covered} of ${total}`;
  });
  return ["Lines covered, without those that only child processes ran:", ...tableLines].join("\n");
}
