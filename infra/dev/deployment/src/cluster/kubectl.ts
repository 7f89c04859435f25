import { delimiter } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { execa } from "execa";

/** kubectl for one cluster. */
export interface Kubectl {
  /** @returns its output; @throws UserFacingError with its output when it fails */
  run(args: readonly string[], input?: string): Promise<string>;
  /** Whether the command succeeds. */
  succeeds(args: readonly string[]): Promise<boolean>;
  /** Environment for programs that call kubectl. */
  env: { KUBECONFIG: string; PATH: string };
}

/** @param bin folder of the program */
export function kubectlOf(bin: string, kubeconfig: string, cancelSignal: AbortSignal): Kubectl {
  const env = { KUBECONFIG: kubeconfig, PATH: [bin, process.env.PATH].join(delimiter) };
  const run = async (args: readonly string[], input?: string) => {
    const given = input === undefined ? { stdin: "ignore" as const } : { input };
    const options = { env, cancelSignal, ...given, reject: false } as const;
    const { failed, stdout, stderr } = await execa("kubectl", args, options);
    if (failed)
      throw new UserFacingError(`kubectl ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
    return stdout;
  };
  return {
    env,
    run,
    succeeds: (args) =>
      run(args).then(
        () => true,
        () => false,
      ),
  };
}
