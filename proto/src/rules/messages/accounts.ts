import {
  INVITATIONS_MAX_COUNT,
  PASSKEY_NAME_MAX_LENGTH,
  PASSKEYS_MAX_COUNT,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from "../limits.ts";

export const welcomeBack = "Welcome back";
export const welcomeBackText = "Log in to find, rename and share your links.";
export const createAccount = "Create your account";
export const createAccountText = "Your links never expire, and you can rename them at any time.";
export const newHere = "New here?";
export const haveAccount = "Already have an account?";
export const pendingLinksNotice = (count: number) =>
  count === 1
    ? "The link you created in this browser will be on your dashboard."
    : `The ${count} links you created in this browser will be on your dashboard.`;
export const username = "Username";
export const email = "Email";
export const password = "Password";
export const confirmPassword = "Confirm password";
export const showField = (name: string) => `Show ${name.toLowerCase()}`;
export const hideField = (name: string) => `Hide ${name.toLowerCase()}`;
export const passwordHint = `At least ${PASSWORD_MIN_LENGTH} characters`;
export const enterValidEmail = "Please enter a valid email address";
export const passwordTooShort = `Password must be at least ${PASSWORD_MIN_LENGTH} characters`;
export const passwordTooLong = `Password must be at most ${PASSWORD_MAX_LENGTH} characters`;
export const passwordBreached =
  "This password is on public lists of leaked passwords. Please choose another one.";
export const usernameTooShort = `Username must be at least ${USERNAME_MIN_LENGTH} characters`;
export const usernameTooLong = `Username must be at most ${USERNAME_MAX_LENGTH} characters`;
export const passwordsDiffer = "Passwords do not match";
export const loginInstead = "Login instead";
export const accountCreated = "Your account has been created successfully.";
export const failedToCreateAccount = "Failed to create account. Please try again.";
export const failedToSync = "Failed to sync with backend";
export const failedToSyncUser = "Failed to sync user with backend";
export const failedToClaimLink = "Failed to associate link with user";
export const usernameTaken = "This username is already taken.";
export const emailTaken = "This email address is already in use.";
export const passwordTooWeak = "Please choose a stronger password.";
export const tooManyAttempts = "Too many attempts. Please wait a few minutes and try again.";
export const providerUnreachable =
  "The login service could not be reached. Please check your connection and try again.";
export const accountDisabled = "This account has been disabled.";
export const loggedIn = "Logged in successfully";
export const invalidEmailOrPassword = "Invalid email or password.";
export const failedToLogInToBackend = "Failed to login with backend";
export const forgotPassword = "Forgot your password?";
export const enterEmailFirst = "Please enter your email address first.";
export const passwordResetSent = "Password reset email has been sent. Please check your inbox.";
export const failedToSendPasswordReset = "Failed to send password reset email. Please try again.";
export const failedToLogOutOfBackend = "Failed to logout from backend";

export const sessionsTitle = "Where you are logged in";
export const errorLoadingSessions = "Your sessions could not be loaded.";
export const thisBrowser = "This browser";
export const unknownBrowser = "Unknown browser";
export const browserOn = (browser: string, system: string) => `${browser} on ${system}`;
export const sessionSeen = (lastSeen: string, began: string) =>
  `Last used ${lastSeen}, logged in ${began}`;
export const logOutEverywhere = "Log out everywhere";
export const loggingOut = "Logging out...";
export const confirmLogOutEverywhere =
  "Log out of all browsers, including this one? You will need to log in again.";

export const revokeKeys = (count: number) =>
  count === 1
    ? "Also revoke my API key, which keeps working otherwise"
    : "Also revoke my API keys, which keep working otherwise";
export const keysNotRevoked = "Your API keys were not revoked. Please do it under Developers.";

export const signUpClosed = "This site does not accept new accounts.";
export const invitationInvalid =
  "This invitation has expired or was already used. Ask for a new one.";
export const emailLinkInvalid =
  "This link has expired or was already used. Please request a new one.";
export const emailLinkOfOtherAccount =
  "This link is for another account than the one you are logged in to. Log out first, or open it in another browser.";
export const emailNotConfigured = "This site cannot send emails. Please ask its operator for help.";
export const loginExpired = "Please log in again.";
export const wrongCode = "The code is wrong or no longer valid.";
export const codeUsed = "This code was already used. Please wait for the next one.";
export const passkeyRefused = "The passkey was not accepted.";
export const passkeyNameRequired = "Name is required";
export const passkeyNameTooLong = `Name must be at most ${PASSKEY_NAME_MAX_LENGTH} characters`;
export const tooManyPasskeys = `You have ${PASSKEYS_MAX_COUNT} passkeys, the maximum. Please delete one first.`;
export const tooManyInvitations = `There are ${INVITATIONS_MAX_COUNT} open invitations, the maximum. Please delete one first.`;
