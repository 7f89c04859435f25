import type { EmailToSend } from "../../jobs/catalogue.ts";

/** The emails that people wait for. A link follows the text. */
export const emails: Record<
  EmailToSend["kind"],
  (productName: string) => { subject: string; text: string }
> = {
  "confirm-email": (productName) => ({
    subject: `Confirm your email address for ${productName}`,
    text: "Open this link within an hour to confirm that this email address is yours:",
  }),
  "existing-account": (productName) => ({
    subject: `You already have a ${productName} account`,
    text: "Somebody has signed up with your email address, for which there is an account already. If it was you, log in to that account; there you can also choose a new password:",
  }),
  "reset-password": (productName) => ({
    subject: `Choose a new password for ${productName}`,
    text: "Open this link within an hour to choose a new password:",
  }),
  invitation: (productName) => ({
    subject: `You are invited to ${productName}`,
    text: "Open this link within seven days to create your account:",
  }),
};
export const ignoreEmail = "If you did not expect this email, you can ignore it.";
