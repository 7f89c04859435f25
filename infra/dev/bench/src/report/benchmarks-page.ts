const INTRODUCTION = `# Benchmarks

What was measured, on which machine, and how to measure it again. Ratios within one run say more than
rates: machines differ, and so do their moods.
`;

/** A subject's chapter of docs/benchmarks.md. */
export interface ReportChapter {
  /** Its heading. */
  subject: string;
  text: string;
}

/** The page with this chapter in place of an older one of the same subject; the others stay. */
export function benchmarksPage(former: string, { subject, text }: ReportChapter): string {
  const chapters = new Map(chaptersOf(former));
  chapters.set(subject, `## ${subject}\n\n${text.trim()}\n`);
  return [INTRODUCTION, ...chapters.values()].join("\n");
}

function chaptersOf(page: string): [subject: string, text: string][] {
  return page.split(/^(?=## )/m).flatMap((text) => {
    const subject = /^## (.+)$/m.exec(text)?.[1];
    return text.startsWith("## ") && subject ? [[subject, `${text.trimEnd()}\n`]] : [];
  });
}
