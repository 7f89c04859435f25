import { runCommand } from "@tapthru/local/run-command";
import { createStack } from "@tapthru/local/stack/stack";
import { step } from "@tapthru/local/stack/step";
import { createTestRun } from "@tapthru/local/test-servers/test-run";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { startControlPlane } from "./control-plane.ts";
import { requireGo } from "./go.ts";
import { buildPrograms } from "./programs.ts";
import { steps } from "./scenario.ts";
import { KUBERNETES } from "./versions.ts";

/** Applies the manifests of k8s/ to a real Kubernetes control plane with simulated nodes. */
await runCommand(async (signal) => {
  await requireGo();
  await testManifests(await buildPrograms(signal), signal);
  return true;
});

async function testManifests(bin: string, signal: AbortSignal): Promise<void> {
  const run = await createTestRun();
  const stack = createStack(run.ledger, signal);
  process.once("exit", stack.kill);
  const died = stack.died.then((how) => Promise.reject(new UserFacingError(how)));
  try {
    const kubectl = await step(`Kubernetes ${KUBERNETES}`, () =>
      startControlPlane(bin, run.folder, stack, signal),
    );
    for (const { title, work } of steps(kubectl, run.folder, signal)) {
      await step(title, () => Promise.race([work(), died]));
    }
  } finally {
    await stack.stop();
    process.off("exit", stack.kill);
    await run.remove();
  }
}
