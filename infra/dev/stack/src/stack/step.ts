/** Runs a step of a command, then prints its name, its result if that is a string, and its duration. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  const figures = typeof result === "string" ? `: ${result}` : "";
  console.log(`✓ ${name}${figures} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
  return result;
}
