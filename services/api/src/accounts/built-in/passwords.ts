import { ApiError } from "../../errors.ts";

/** How many passwords of the list are refused, the most common first. */
const REFUSED_COUNT = 10_000;

/** The list takes memory and time to unpack: it is loaded with the first new password. */
let breached: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].slice(0, REFUSED_COUNT));
}

/** @throws ApiError if the password is one of the most common leaked ones, in any case of its letters */
export async function refuseBreached(password: string): Promise<void> {
  breached ??= load();
  if (!(await breached).has(password.toLowerCase())) return;
  throw new ApiError("breached-password", { field: "password" });
}
