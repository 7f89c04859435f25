import lighthouse from "lighthouse";

/** What Lighthouse reports about one load of a page. */
export interface Audit {
  /** Performance score, from 0 to 100. */
  score: number;
  /** First Contentful Paint. */
  firstPaintMs: number;
  /** Largest Contentful Paint. */
  largestPaintMs: number;
  /** Total Blocking Time. */
  blockingMs: number;
  /** Cumulative Layout Shift. */
  shift: number;
  /** Transferred bytes of all scripts, with headers. */
  scriptBytes: number;
}

/**
 * Loads a page with Lighthouse's default phone: 4 times slower CPU, slow 4G, empty cache. Cookies and storage are kept.
 * The slowdown is simulated: Lighthouse loads the page at full speed and calculates the times, which depends less on
 * the load of the machine than slowing the browser down.
 * @param port DevTools port of a running browser
 */
export async function auditPage(url: string, port: number): Promise<Audit> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "error",
    onlyCategories: ["performance"],
    throttlingMethod: "simulate",
  });
  if (!result || result.lhr.runtimeError) {
    throw new Error(`Lighthouse failed: ${result?.lhr.runtimeError?.message}`);
  }
  const { audits, categories } = result.lhr;
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  return {
    score: Math.round((categories.performance?.score ?? Number.NaN) * 100),
    firstPaintMs: figure("first-contentful-paint"),
    largestPaintMs: figure("largest-contentful-paint"),
    blockingMs: figure("total-blocking-time"),
    shift: figure("cumulative-layout-shift"),
    scriptBytes: scriptBytes(audits["network-requests"]?.details),
  };
}

function scriptBytes(details: unknown): number {
  const { items } = details as { items: { resourceType?: string; transferSize?: number }[] };
  return items
    .filter(({ resourceType }) => resourceType === "Script")
    .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
}
