import { relative, sep } from "node:path";
import * as z from "zod/mini";

/** Line coverage of a package, in lines. */
export interface PackageCoverage {
  name: string;
  covered: number;
  total: number;
}

const lines = z.object({ lines: z.object({ total: z.number(), covered: z.number() }) });

/** Istanbul's json-summary: the coverage by absolute path, and the total. */
export const coverageSummary = z.record(z.string(), lines);

/** The coverage of each package, sorted by name. */
export function coverageByPackage(
  { total: _total, ...files }: z.infer<typeof coverageSummary>,
  checkout: string,
): PackageCoverage[] {
  const byPackage = Map.groupBy(Object.entries(files), ([file]) =>
    packageOf(relative(checkout, file)),
  );
  return [...byPackage]
    .map(([name, group]) => ({
      name,
      covered: group.reduce((sum, [, { lines }]) => sum + lines.covered, 0),
      total: group.reduce((sum, [, { lines }]) => sum + lines.total, 0),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** The package of a path, such as "infra/dev/local" for "infra/dev/local/src/commands/test.ts". */
function packageOf(path: string): string {
  const [first = "", second, third] = path.split(sep);
  if (first === "infra" && second === "dev") return `infra/dev/${third}`;
  return first === "infra" || first === "services" ? `${first}/${second}` : first;
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
