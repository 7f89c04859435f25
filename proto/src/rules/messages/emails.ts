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
    text: `Somebody has created the ${productName} account “${displayName}” with this email address. If it was you, open this link within an hour to confirm that the address is yours:`,
  }),
  "existing-account": (productName) => ({
    subject: `You already have a ${productName} account`,
    text: "Somebody has signed up with your email address, for which there is an account already. If it was you, log in to that account; there you can also choose a new password. The account that you have just created can be used only in that browser, until you log out:",
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
