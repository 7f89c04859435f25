import { watchInterruption } from "@tapthru/local/stack/interruption";
import { createStack } from "@tapthru/local/stack/stack";
import { createTestRun } from "@tapthru/local/test-servers/test-run";
import { printError, UserFacingError } from "@tapthru/local/user-facing-error";
import { startControlPlane } from "./control-plane.ts";
import { requireGo } from "./go.ts";
import { buildPrograms } from "./programs.ts";
import { steps } from "./scenario.ts";
import { KUBERNETES } from "./versions.ts";

/** Applies the manifests of k8s/ to a real Kubernetes control plane with simulated nodes. */
const interruption = watchInterruption(() => process.exit(130));
process.exitCode = 1;
try {
  await requireGo();
  await testManifests(await buildPrograms(interruption));
  process.exitCode = 0;
} catch (error) {
  if (!interruption.aborted) printError(error);
}

async function testManifests(bin: string): Promise<void> {
  const run = await createTestRun();
  const stack = createStack(run.ledger, interruption);
  process.once("exit", stack.kill);
  const died = stack.died.then((how) => Promise.reject(new UserFacingError(how)));
  try {
    const kubectl = await timed(`Kubernetes ${KUBERNETES}`, () =>
      startControlPlane(bin, run.folder, stack, interruption),
    );
    for (const { title, work } of steps(kubectl, run.folder, interruption)) {
      await timed(title, () => Promise.race([work(), died]));
    }
  } finally {
    await stack.stop();
    process.off("exit", stack.kill);
    await run.remove();
  }
}

async function timed<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  const figures = typeof result === "string" ? `: ${result}` : "";
  console.log(`✓ ${title}${figures} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
  return result;
}
