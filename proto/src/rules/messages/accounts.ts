import {
  INVITATIONS_MAX_COUNT,
  PASSKEY_NAME_MAX_LENGTH,
  PASSKEYS_MAX_COUNT,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from "../limits.ts";

export const enterValidEmail = "Please enter a valid email address";
export const passwordTooShort = `Password must be at least ${PASSWORD_MIN_LENGTH} characters`;
export const passwordTooLong = `Password must be at most ${PASSWORD_MAX_LENGTH} characters`;
export const passwordBreached = "This password is on public lists of leaked passwords. Please choose another one.";
export const usernameTooShort = `Username must be at least ${USERNAME_MIN_LENGTH} characters`;
export const usernameTooLong = `Username must be at most ${USERNAME_MAX_LENGTH} characters`;
export const usernameMixesAlphabets = "A word of a username must not mix Latin letters with Cyrillic or Greek ones.";
export const confirmPassword = "Please confirm your password";
export const passwordsDiffer = "Passwords do not match";
export const usernameTaken = "This username is already taken.";
export const emailTaken = "This email address is already in use.";
export const accountDisabled = "This account has been disabled.";
export const invalidEmailOrPassword = "Invalid email or password.";

export const signUpClosed = "This site does not accept new accounts.";
export const invitationInvalid = "This invitation has expired or was already used. Ask for a new one.";
export const emailLinkInvalid = "This link has expired or was already used. Please request a new one.";
export const emailLinkOfOtherAccount =
  "This link is for another account than the one you are logged in to. Log out first, or open it in another browser.";
export const emailNotConfirmed =
  "Please confirm your email address first: your profile sends you the link. Until then, nobody else can get access to your account.";
export const emailNotConfigured = "This site cannot send emails. Please ask its operator for help.";
export const loginExpired = "Please log in again.";
export const wrongCode = "The code is wrong or no longer valid.";
export const codeUsed = "This code was already used. Please wait for the next one.";
export const passkeyRefused = "The passkey was not accepted.";
export const passkeyNameRequired = "Name is required";
export const passkeyNameTooLong = `Name must be at most ${PASSKEY_NAME_MAX_LENGTH} characters`;
export const tooManyPasskeys = `You have ${PASSKEYS_MAX_COUNT} passkeys, the maximum. Please delete one first.`;
export const tooManyInvitations = `There are ${INVITATIONS_MAX_COUNT} open invitations, the maximum. Please delete one first.`;

export const enterCode = "Please enter the code of your authenticator app, or a recovery code";
export const enterCurrentPassword = "Please enter your current password";

export const emailDiffers = "This is not your account's email address.";
export const recentLoginRequired = "Your last login was a while ago. Please confirm that it is you.";
export const accountDeleted = "Your account has been deleted.";
