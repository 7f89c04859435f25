import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NODE_OPTIONS } from "@tapthru/core/platform/config/node-options";
import { type Program, SETTINGS, type Setting } from "@tapthru/core/platform/config/settings";
import { CHECKOUT } from "./stack/settings.ts";

/** The programs that have a container of their own settings in docker-compose.yml. */
export const CONTAINERS = [
  "gateway",
  "api",
  "redirect",
  "worker",
  "certificates",
  "migrate",
] as const satisfies Program[];
const COMMENT_WIDTH = 116;

/** Each must be set in production for Compose, whose demo has secrets of its own; docker-compose.yml itself needs two more. */
const NEEDED_IN_PRODUCTION: ReadonlySet<string> = new Set([
  "TAPTHRU_ENV",
  "PUBLIC_BASE_URL",
  "CONTACT_EMAIL",
  "API_DATABASE_PASSWORD",
  "REDIRECT_DATABASE_PASSWORD",
  "WORKER_DATABASE_PASSWORD",
  "SESSION_KEYS",
  "ENCRYPTION_KEYS",
  "WEBHOOK_KEYS",
  "OUTCOME_KEY",
]);

const settings: [string, Setting][] = Object.entries(SETTINGS);
const variables = settings.filter(([, { compose }]) => compose !== "fixed");

/** The files that `pnpm fix` writes, wholly or in part: path in the repository and content. */
export function settingsFiles(): Record<string, string> {
  return {
    "infra/compose/settings.yml": composeSettings(),
    ".env.example": environmentExample(),
  };
}

/** .env.example, of which only what follows its last heading is written here. */
function environmentExample(): string {
  const marker = "# ── Settings of the services ──\n";
  const [start] = readFileSync(join(CHECKOUT, ".env.example"), "utf8").split(marker);
  return `${start}${marker}${variables.map(exampleLines).join("")}`;
}

/** The default of the setting itself; empty if it is optional or required. */
function defaultOf(schema: Setting["schema"]): string {
  const standard: unknown = "defaultValue" in schema.def ? schema.def.defaultValue : undefined;
  return standard == null ? "" : String(standard);
}

function exampleLines([name, { about, schema, compose = defaultOf(schema), secret }]: [string, Setting]): string {
  const file = secret ? `#${name}_FILE=\n` : "";
  const mark = NEEDED_IN_PRODUCTION.has(name) ? "★ " : "";
  return `${comment(mark + about.replaceAll("`", ""))}#${name}=${compose}\n${file}`;
}

function comment(text: string): string {
  const lines = text.match(new RegExp(`.{1,${COMMENT_WIDTH}}(?: |$)`, "g")) ?? [];
  return lines.map((line) => `# ${line.trimEnd()}\n`).join("");
}

function composeSettings(): string {
  const services = CONTAINERS.map((program) => {
    const own = variables.filter(([, { of }]) => of.includes(program));
    const options = program in NODE_OPTIONS ? NODE_OPTIONS[program as keyof typeof NODE_OPTIONS] : null;
    const nodeOptions = options === null ? "" : `      NODE_OPTIONS: ${options}\n`;
    return `  ${program}:\n    environment:\n${nodeOptions}${own.map(composeVariable).join("")}`;
  });
  return `# The settings of each service; the variables are described in .env.example.
# Written by \`pnpm fix\` from services/core/src/platform/config/settings.ts.
services:
${services.join("")}`;
}

function composeVariable([name, { compose = "", secret, offIfEmpty }]: [string, Setting]): string {
  const line = (variable: string, operator: string, standard: string) =>
    `      ${variable}: \${${variable}${operator}${standard}}\n`;
  const own = line(name, offIfEmpty ? "-" : ":-", compose);
  return secret ? own + line(`${name}_FILE`, ":-", "") : own;
}
