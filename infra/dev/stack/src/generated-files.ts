import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { dashboardFiles } from "./dashboards.ts";
import { settingsFiles } from "./settings-files.ts";
import { CHECKOUT } from "./stack/settings.ts";

type Limits = typeof RATE_LIMITS_PER_MINUTE;

/** What each limit counts. */
const LIMITS: Record<keyof Limits, string> = {
  generate: "create a link",
  createLinks: "create several links",
  go: "open a link pattern",
  createByPattern: "create a link by a pattern; the second number is of the pattern",
  checkLink: "check a link before its turn",
  moveLinks: "change the domain of many links",
  createImports: "send a file for import",
  importEarnings: "send a file of reports, or answer a question about it",
  resolveLink: "look up a short link of Amazon",
  metadata: "read the title and picture of a product",
  users: "create an account",
  login: "log in; the second number is of the account",
  identity: "passwords, codes and emailed links at the built-in identity provider",
  outcome: "report whether the app opened",
  ownAccount: "export or delete an account, create an API key",
  exportLinks: "export links",
  manageKeys: "other calls of API keys",
  readSharedPage: "reads of shared clicks by their secret link",
  changeWebhooks: "change webhooks",
  changeDomains: "add, check and remove domains",
  apiKey: "calls with an API key; by address only those with an invalid one",
  reports: "report a link",
  acmeChallenge: "challenges of the certificate authority",
  otherApi: "other calls",
  unknownCode: "open an unknown short code",
};

/** The files that `pnpm fix` writes, wholly or in part: path in the repository and content. */
export function generatedFiles(): Record<string, string> {
  return {
    ...settingsFiles(),
    ...dashboardFiles(),
    "docs/security.md": replaceTable("docs/security.md", "limits", limits()),
  };
}

/** The text of the file with this table between its two comments. */
function replaceTable(path: string, name: string, table: string): string {
  const start = `<!-- ${name}: written by pnpm fix -->\n`;
  const end = `<!-- end of ${name} -->\n`;
  const [before, inside, ...rest] = readFileSync(join(CHECKOUT, path), "utf8").split(start);
  const [, after] = inside?.split(end) ?? [];
  if (after === undefined || rest.length > 0) {
    throw new Error(`${path} must contain these comments once: ${start}${end}`);
  }
  return `${before}${start}\n${table}\n${end}${after}`;
}

function limits(): string {
  const names = Object.keys(RATE_LIMITS_PER_MINUTE) as (keyof Limits)[];
  const rows = names.map((name) => {
    const { address, visitor, floor } = RATE_LIMITS_PER_MINUTE[name];
    const counts = [address, visitor, floor].map((count) => count?.toLocaleString("en") ?? "–");
    return `| ${[LIMITS[name], ...counts].join(" | ")} |\n`;
  });
  const columns = "by address | by user or visitor | by address without Redis |";
  return `| call | ${columns}\n|---|---|---|---|\n${rows.join("")}`;
}
