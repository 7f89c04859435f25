import { UserFacingError } from "@tapthru/core/platform/user-facing-error";

/**
 * The flags among the arguments, such as `--demo`.
 * @throws UserFacingError with the first unknown argument
 */
export function readFlags<Flag extends string>(args: readonly string[], known: readonly Flag[]): Record<Flag, boolean> {
  const unknown = args.find((argument) => !known.some((flag) => argument === `--${flag}`));
  if (unknown !== undefined) {
    const names = known.map((flag) => `--${flag}`).join(", ");
    throw new UserFacingError(`Unknown option: ${unknown}. Known: ${names}.`);
  }
  const given = known.map((flag) => [flag, args.includes(`--${flag}`)]);
  return Object.fromEntries(given) as Record<Flag, boolean>;
}
