import { PASSKEYS_MAX_COUNT } from "../limits.ts";

// Login
export const or = "or";
export const code = "Code";
export const codeHint = "From your authenticator app, or one of your recovery codes";
export const enterCode = "Please enter the code of your authenticator app, or a recovery code";
export const enterCodeText = "Your account also needs a code when you log in.";
export const continueLogin = "Continue";
export const backToPassword = "Back";
export const logInWithPasskey = "Log in with a passkey";
export const continueWith = (name: string) => `Continue with ${name}`;
export const logInAgainWith = (name: string) => `Log in again with ${name}`;
export const failedToReachOpenId = "This login could not be started. Please try again.";
export const openIdErrors = {
  canceled: "The login at the other site was cancelled.",
  no_email: "This login has no email address, which an account needs.",
  unavailable: "The other site did not respond in time. Please try again.",
  failed: "This login failed. Please try again.",
} as const;

// Sign-up
export const signUpByInvitation =
  "You need an invitation to create an account here. Open the link that you got from the operator of this site.";

// Pages that links in emails open
export const setNewPassword = "Set a new password";
export const setNewPasswordText = "This logs you out in all browsers.";
export const savePassword = "Save password";
export const passwordSet = "Your password has been changed. You can log in with it now.";
export const failedToSetPassword = "Failed to change your password. Please try again.";
export const passwordReplyLost =
  "No reply arrived. Your password may have been changed: please try to log in with it.";
export const backToLogin = "Back to the login page";
export const confirmEmailTitle = "Confirm your email";
export const confirmEmailText = "Confirm that this email address is yours.";
export const confirmEmail = "Confirm email";
export const emailConfirmed = "Your email address is confirmed.";
export const failedToConfirmEmail = "Failed to confirm the address. Please try again.";
export const continueAfterConfirmation = "Continue";

// Two-factor login
export const twoFactor = "Two-factor login";
export const twoFactorText =
  "A code of an authenticator app on your phone protects your account even if your password is known to others.";
export const twoFactorIsOn = "It is on. Logging in with your password needs a code too.";
export const turnOnTwoFactor = "Turn on";
export const turnOffTwoFactor = "Turn off";
export const turningOffTwoFactor = "Turning off...";
export const startSetup = "Continue";
export const scanQrCode =
  "Scan this code with an authenticator app, such as Google Authenticator or 1Password.";
export const setupQrCode = "QR code for the authenticator app";
export const setupSecret = "Or enter this key in the app:";
export const copySetupSecret = "Copy key";
export const setupSecretCopied = "Key copied to clipboard";
export const recoveryCodes = "Recovery codes";
export const recoveryCodesText =
  "Keep them in a safe place: without your phone, each of them logs you in once.";
export const copyRecoveryCodes = "Copy the codes";
export const recoveryCodesCopied = "Recovery codes copied to clipboard";
export const downloadRecoveryCodes = "Download them";
export const recoveryCodesFileName = "recovery-codes.txt";
export const newRecoveryCodes = "New recovery codes";
export const newRecoveryCodesText = "The codes that you have now stop working.";
export const recoveryCodesSaved = "I have saved them";
export const enterFirstCode = "Then enter the code that the app shows.";
export const appCode = "Code of the app";
export const twoFactorTurnedOn = "Two-factor login is on.";
export const twoFactorTurnedOff = "Two-factor login is off.";
export const failedToChangeTwoFactor = "This could not be changed. Please try again.";

// Passkeys
export const passkeys = "Passkeys";
export const passkeysText =
  "A passkey logs you in with your fingerprint, face or screen lock, without a password.";
export const noPasskeys = "You have no passkeys.";
export const passkeysNotLoaded = "Your passkeys could not be loaded.";
export const newPasskey = "Add a passkey";
export const addingPasskey = "Adding...";
export const passkeyName = "Name";
export const passkeyNameHint = "So that you recognize it, such as the name of your phone";
export const passkeyAdded = "Your passkey has been added.";
export const passkeyCreatedOn = (date: string) => `Added ${date}`;
export const deletePasskey = "Delete";
export const deletePasskeyOf = (name: string) => `Delete ${name}`;
export const passkeyDeleted = "The passkey has been deleted.";
export const failedToAddPasskey = "The passkey was not added. Please try again.";
export const failedToDeletePasskey = "The passkey was not deleted. Please try again.";
export const passkeysFull = `You have ${PASSKEYS_MAX_COUNT} passkeys, the maximum.`;
