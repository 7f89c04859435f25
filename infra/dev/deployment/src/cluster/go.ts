import { UserFacingError } from "@tapthru/local/user-facing-error";
import { execa } from "execa";
import * as z from "zod/mini";

/** From 1.21 on, Go downloads the version that a module requires. */
const OLDEST_MINOR = 21;
const DownloadedModule = z.object({ Dir: z.string(), GoMod: z.string() });

/** @throws UserFacingError when Go is missing or too old */
export async function requireGo(): Promise<void> {
  const printed = await execa("go", ["version"]).then(
    ({ stdout }) => stdout,
    () => null,
  );
  const error = goVersionError(printed);
  if (error) throw new UserFacingError(error);
}

/** @param printed output of `go version`; null without Go */
export function goVersionError(printed: string | null): string | null {
  const minor = Number(/ go1\.(\d+)/.exec(printed ?? "")?.[1] ?? 0);
  if (minor >= OLDEST_MINOR) return null;
  return `pnpm cluster requires Go 1.${OLDEST_MINOR} or later on the PATH (https://go.dev/dl); found ${printed ?? "none"}.`;
}

/** @param module with its version, such as k8s.io/api@v0.34.4 */
export async function downloadModule(module: string): Promise<z.infer<typeof DownloadedModule>> {
  const { stdout } = await execa("go", ["mod", "download", "-json", module], { env: GO_ENV });
  return DownloadedModule.parse(JSON.parse(stdout));
}

export const GO_ENV = { GOTOOLCHAIN: "auto" };
