type Labels = Readonly<Record<string, string>>;

/** Reads a metric from a service's /metrics. */
export async function readMetric(
  adminPort: number,
  name: string,
  labels: Labels = {},
): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
  return metricValue(await response.text(), name, labels);
}

/** The sum of all series with this name and these labels; 0 when there are none. */
export function metricValue(exposition: string, name: string, labels: Labels): number {
  const values = exposition.split("\n").flatMap((line) => {
    const [, series, list = "", value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const has = ([label, text]: [string, string]) => list.includes(`${label}="${text}"`);
    return series === name && Object.entries(labels).every(has) ? [Number(value)] : [];
  });
  return values.reduce((sum, value) => sum + value, 0);
}
