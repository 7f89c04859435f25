import { runCommand } from "@tapthru/local/run-command";
import { step } from "@tapthru/local/stack/step";
import { withTemporaryStack } from "@tapthru/local/test-servers/start-temporarily";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { startControlPlane } from "./control-plane.ts";
import { requireGo } from "./go.ts";
import { buildPrograms } from "./programs.ts";
import { clusterSteps } from "./scenario.ts";
import { KUBERNETES } from "./versions.ts";

/** Applies the manifests of k8s/ to a real Kubernetes control plane with simulated nodes. */
await runCommand(async (signal) => {
  await requireGo();
  const bin = await buildPrograms(signal);
  await withTemporaryStack(signal, async (folder, stack) => {
    const died = stack.died.then((how) => Promise.reject(new UserFacingError(how)));
    const kubectl = await step(`Kubernetes ${KUBERNETES}`, () =>
      startControlPlane(bin, folder, stack, signal),
    );
    for (const { title, work } of clusterSteps(kubectl, folder, signal)) {
      await step(title, () => Promise.race([work(), died]));
    }
  });
  return true;
});
