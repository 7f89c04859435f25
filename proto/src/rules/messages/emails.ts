import type { EmailToSend } from "../../jobs/catalogue.ts";

/** The emails that people wait for. A link follows the text. */
export const emails: Record<
  EmailToSend["kind"],
  (productName: string, displayName: string) => { subject: string; text: string }
> = {
  "change-email": (productName, displayName) => ({
    subject: `Confirm your new email address for ${productName}`,
    text: `The ${productName} account “${displayName}” shall get this email address. If it is your account, open this link within an hour:`,
  }),
  "confirm-email": (productName, displayName) => ({
    subject: `Confirm your email address for ${productName}`,
    text: `The ${productName} account “${displayName}” was created with this email address. If you created it, open this link within an hour to confirm that the address is yours:`,
  }),
  "existing-account": (productName) => ({
    subject: `You already have a ${productName} account`,
    text: "A new account was created with your email address, for which there is an account already. If you created it, log in to your earlier account instead; you can also choose a new password there. The new account can be used only in the browser that created it, until you log out:",
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
