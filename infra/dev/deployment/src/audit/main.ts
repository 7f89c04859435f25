import { readFile } from "node:fs/promises";
import { CHECKOUT } from "@tapthru/local/stack/settings";
import { execa } from "execa";
import { findAdvisories } from "./find-advisories.ts";
import { shippedPackages } from "./shipped-packages.ts";

const packages = shippedPackages(await readFile(`${CHECKOUT}/pnpm-lock.yaml`, "utf8"));
const { stdout: registry } = await execa("npm", ["config", "get", "registry"], { cwd: CHECKOUT });
const result = await findAdvisories(registry, packages);

if (result.kind === "could-not-run") {
  console.log(`The dependency audit could not run: ${result.reason}.`);
} else {
  for (const { packageName, title, url, vulnerableVersions } of result.vulnerabilities) {
    console.log(`${packageName} ${vulnerableVersions}: ${title} (${url})`);
  }
  console.log(
    `Dependency audit: ${packages.size} production packages, ${result.vulnerabilities.length} known vulnerabilities of severity high or critical.`,
  );
  process.exitCode = result.vulnerabilities.length === 0 ? 0 : 1;
}
