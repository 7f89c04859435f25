/** The emulator accepts unsigned tokens; the gateway blocks only the simplest ways to use them. */
export const DEMO_ACCOUNTS_WARNING =
  "Accounts of the Firebase emulator are not protected: keep this site unreachable from other machines.";
