import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { runCommand } from "@tapthru/stack/run-command";
import { benchCreates } from "./creates.ts";
import { benchRedirect } from "./redirect.ts";

const SUBJECTS = { redirect: benchRedirect, creates: benchCreates };

await runCommand(async () => {
  const [subject = ""] = process.argv.slice(2);
  if (subject !== "redirect" && subject !== "creates")
    throw new UserFacingError("Usage: pnpm bench redirect | creates");
  if (findOnPath("wrk") === null)
    throw new UserFacingError("Missing: wrk. Install it with `sudo apt-get install wrk`.");
  await SUBJECTS[subject]();
  return true;
});
