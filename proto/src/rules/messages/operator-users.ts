import { COUNTED_LINKS_MAX } from "../limits.ts";

export const searchUsers = "Search users";
export const searchUsersPlaceholder = "Name, email, short link or domain";
export const noUserFound = "No user was found.";
export const allUsers = "All users";
export const userNotLoaded = "The user could not be loaded. They may have been deleted.";
export const linkCount = (count: number) => {
  if (count >= COUNTED_LINKS_MAX) return `${COUNTED_LINKS_MAX.toLocaleString("en")}+ links`;
  return count === 1 ? "1 link" : `${count} links`;
};
export const keyCount = (count: number) => (count === 1 ? "1 API key" : `${count} API keys`);
export const userSince = (day: string) => `since ${day}`;
export const lastLogin = (time: string | null) =>
  time === null ? "last login unknown" : `last login ${time}`;
export const userStateTexts = {
  enabled: "Can log in.",
  disabled: "Cannot log in. Their links work.",
  blocked: "Cannot log in. Visitors of their links get an error page.",
};
export const userEmail = "Email address";
export const userState = "State";
export const userCreated = "Signed up";
export const userLastLogin = "Last login";
export const unknownTime = "Unknown";
export const none = "None";
export const openSessions = "Browsers logged in";
export const secondFactor = "Second factor";
export const secondFactorUnknown = "Kept by another identity provider";
export const secondFactorIs = (isOn: boolean) => (isOn ? "On" : "Off");
export const storage = "Rows in the database";
export const storedRows = (clicks: number, imports: number, earnings: number) =>
  `${clicks.toLocaleString("en-US")} of clicks, ${imports.toLocaleString("en-US")} of imports, ${earnings.toLocaleString("en-US")} of earnings`;
export const userKeys = "API keys";
export const keyLastUsed = (time: string | null) =>
  time === null ? "never used" : `last used ${time}`;

export const userActions = "Actions";
export const failedToChangeUser = "The change was not saved. Please try again.";
export const disableText =
  "A disabled user is logged out, cannot log in, and their API keys do not work. It can be undone.";
export const disableUser = "Disable";
export const disableUserOf = (name: string) => `Disable ${name}`;
export const changeDisabling = "Change what their links do";
export const linksOfDisabledUser = "What happens to their links?";
export const disablingChoices = {
  disabled: { name: "They work as before", text: "Visitors notice nothing." },
  blocked: {
    name: "They show an error page",
    text: "Visitors see that the link no longer works, until you enable the user.",
  },
};
export const enableUser = "Enable";
export const confirmEnableUser = (name: string) =>
  `Enable ${name}? They can log in again, and the links that were closed with them work again.`;
export const userStateChanged = "The user was changed.";
export const logOutUserText = "Ends their sessions in all browsers. API keys work as before.";
export const logOutUser = "Log out everywhere";
export const loggingOutUser = "Logging out...";
export const confirmLogOutUser = (name: string) => `Log out ${name} everywhere?`;
export const userLoggedOut = "The user was logged out everywhere.";
export const resetSecondFactorText =
  "For a user who lost their second factor. Also removes their passkeys. They then log in with their password.";
export const resetSecondFactor = "Reset second factor";
export const resettingSecondFactor = "Resetting...";
export const confirmResetSecondFactor = (name: string) =>
  `Remove the second factor and the passkeys of ${name}?`;
export const secondFactorReset = "The second factor was removed.";
export const deleteUserText =
  "Deletes the account with all its links and data. This cannot be undone.";
export const deleteUser = "Delete user";
export const deletingUser = "Deleting...";
export const confirmDeleteUser = (name: string) => `Delete ${name}?`;
export const confirmDeleteUserText =
  "Their links stop working, and their data is deleted. This cannot be undone.";
export const typeUsernameToDelete = (name: string) => `Type ${name} to confirm`;
export const userDeleted = (name: string) => `${name} is being deleted.`;
