const INTRODUCTION = `# Benchmarks

What was measured, on which machine, and how to repeat it. Ratios within one run are more reliable than rates, because
machines and their load differ.
`;

/** A chapter of docs/benchmarks.md. */
export interface ReportChapter {
  /** The heading. */
  subject: string;
  text: string;
}

/** Replaces or appends a chapter in the page; the others are kept. */
export function replaceChapter(previous: string, { subject, text }: ReportChapter): string {
  const chapters = new Map(chaptersOf(previous));
  chapters.set(subject, `## ${subject}\n\n${text.trim()}\n`);
  return [INTRODUCTION, ...chapters.values()].join("\n");
}

function chaptersOf(page: string): [subject: string, text: string][] {
  return page.split(/^(?=## )/m).flatMap((text) => {
    const subject = /^## (.+)$/m.exec(text)?.[1];
    return text.startsWith("## ") && subject ? [[subject, `${text.trimEnd()}\n`]] : [];
  });
}
