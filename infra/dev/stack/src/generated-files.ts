import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { settingsFiles } from "./settings-files.ts";
import { CHECKOUT } from "./stack/settings.ts";

/** The files that `pnpm fix` writes, wholly or in part: path in the repository and content. */
export function generatedFiles(): Record<string, string> {
  return {
    ...settingsFiles(),
    "docs/security.md": replacePart("docs/security.md", "limits", limits()),
  };
}

/** The text of the file with this part between its two comments. */
function replacePart(path: string, name: string, part: string): string {
  const start = `<!-- ${name}: written by pnpm fix -->\n`;
  const end = `<!-- end of ${name} -->\n`;
  const [before, inside, ...rest] = readFileSync(join(CHECKOUT, path), "utf8").split(start);
  const [, after] = inside?.split(end) ?? [];
  if (after === undefined || rest.length > 0) {
    throw new Error(`${path} must contain these comments once: ${start}${end}`);
  }
  return `${before}${start}\n${part}\n${end}${after}`;
}

function limits(): string {
  const rows = Object.values(RATE_LIMITS_PER_MINUTE).map(({ address, visitor, floor, counted }) => {
    const counts = [address, visitor, floor].map((count) => count?.toLocaleString("en") ?? "–");
    return `- ${counted}: ${counts.join("/")}\n`;
  });
  return rows.join("");
}
