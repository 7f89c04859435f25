import { UserFacingError } from "@tapthru/local/user-facing-error";
import { execa } from "execa";
import * as z from "zod/mini";

/** Since 1.21 Go downloads the newer Go that a module needs from the module proxy. */
const OLDEST_MINOR = 21;
const DownloadedModule = z.object({ Dir: z.string(), GoMod: z.string() });

/** @throws PlainError where Go is missing or too old */
export async function requireGo(): Promise<void> {
  const printed = await execa("go", ["version"]).then(
    ({ stdout }) => stdout,
    () => null,
  );
  const fault = faultOfGo(printed);
  if (fault) throw new UserFacingError(fault);
}

/** @param printed what `go version` prints, or null where there is no Go */
export function faultOfGo(printed: string | null): string | null {
  const minor = Number(/ go1\.(\d+)/.exec(printed ?? "")?.[1] ?? 0);
  if (minor >= OLDEST_MINOR) return null;
  const found = printed === null ? "there is none" : `this is ${printed}`;
  return `pnpm cluster needs Go 1.${OLDEST_MINOR} or later on the PATH (https://go.dev/dl): ${found}.`;
}

/** @param module with its version, such as k8s.io/api@v0.34.4 */
export async function downloadModule(module: string): Promise<z.infer<typeof DownloadedModule>> {
  const { stdout } = await execa("go", ["mod", "download", "-json", module], { env: GO_ENV });
  return DownloadedModule.parse(JSON.parse(stdout));
}

export const GO_ENV = { GOTOOLCHAIN: "auto" };
