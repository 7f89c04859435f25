import { holds, type Report } from "./report.ts";

const INTRODUCTION = `# What holds

\`pnpm chaos [rows…]\` starts the whole product with throw-away data, puts it under load, breaks something,
and writes here what came of it. \`--seed\` repeats a trial's random instants and choices.
`;

/** The page with these reports in place of older ones of the same rows; the others stay. */
export function resiliencePage(former: string, reports: readonly Report[]): string {
  const sections = new Map(sectionsOf(former));
  for (const report of reports) sections.set(report.row.id, section(report));
  const sorted = [...sections].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
  return [INTRODUCTION, ...sorted.map(([, text]) => text)].join("\n");
}

function sectionsOf(page: string): [id: string, text: string][] {
  return page.split(/^(?=## R\d+ )/m).flatMap((text) => {
    const id = /^## (R\d+) /.exec(text)?.[1];
    return id === undefined ? [] : [[id, `${text.trimEnd()}\n`] as [string, string]];
  });
}

function section(report: Report): string {
  const { row, findings, seed, seconds, date, machine } = report;
  return `## ${row.id} ${row.title}: ${holds(report) ? "holds" : "does not hold"}

${date}, ${Math.round(seconds)} s, seed ${seed}. ${machine}.

Must hold: ${row.mustHold}.

Done: ${row.done}

| | measured | must be | |
|---|---|---|---|
${findings.map((finding) => `| ${cell(finding.what)} | ${cell(finding.measured)} | ${cell(finding.limit ?? "")} | ${mark(finding)} |`).join("\n")}
`;
}

function mark({ limit, holds }: Report["findings"][number]): string {
  if (limit === null) return "";
  return holds ? "✓" : "✗";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
