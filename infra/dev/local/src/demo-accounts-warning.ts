/** The emulator believes unsigned tokens; the gateway only keeps the easiest ways to them shut. */
export const DEMO_ACCOUNTS_WARNING =
  "Accounts of the Firebase emulator are not protected: keep this site unreachable from other machines.";
