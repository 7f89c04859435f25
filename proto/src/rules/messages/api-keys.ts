import { KEY_NAME_MAX_LENGTH, KEYS_MAX_COUNT } from "../limits.ts";

export const badKey = "This API key is not valid.";
export const keyRequired = "Please send an API key: Authorization: Bearer tt_…";
export const missingScope = (scope: string) => `This API key does not have the scope ${scope}.`;
export const keyNotAllowed = "API keys cannot be used here. Please log in instead.";
export const tooManyKeys = `You have ${KEYS_MAX_COUNT} API keys, the maximum. Please revoke one first.`;
export const keyNameRequired = "Please enter a name";
export const keyNameTooLong = `Name must be at most ${KEY_NAME_MAX_LENGTH} characters`;
export const scopeRequired = "Please choose at least one permission";

// The section of the account
export const apiKeys = "API keys";
export const apiKeysText =
  "With a key, a script or an app works with your links without your password. No key can change your account or create other keys.";
export const newKey = "New API key";
export const createKey = "Create API key";
export const noKeys = "You have no API keys.";
export const keysNotLoaded = "Your API keys could not be loaded.";
export const keyName = "Name of the key";
export const keyNameHint = "For example the script that will use it.";
export const keyScopes = "What the key may do";
export const keyScopeNames = {
  "links:read": "See links",
  "links:write": "Create and change links",
  "clicks:read": "See clicks",
  "earnings:read": "See earnings",
  "earnings:write": "Import earnings",
  operator: "Operate this site",
};
export const keyScopeTexts = {
  "links:read": "Lists your links, labels, tags and imports.",
  "links:write": "Creates, edits, labels, imports and deletes links, and changes your tags.",
  "clicks:read": "Reads how often your links were opened, where and with what.",
  "earnings:read": "Reads what your links earned.",
  "earnings:write": "Imports and removes reports of earnings.",
  operator: "Does what operators can do: reports, users, limits and settings.",
};
export const keyExpiry = "Expiry";
export const keyExpiryNames = { never: "No expiry", day: "On a date" };
export const keyExpiryTexts = {
  never: "The key works until you revoke it.",
  day: "The key stops working at the end of a day.",
};
export const keyLastDay = "Last day on which the key works";
export const creatingKey = "Creating...";
export const failedToCreateKey = "Failed to create the API key. Please try again.";
export const keyReplyLost =
  "No reply arrived. If the key is in the list now, revoke it and create another: its text was lost.";
export const copyKeyNow = "Copy your new API key now";
export const copyKeyNowText =
  "It is not shown again. Keep it secret: everyone who has it can do with your links what you allowed.";
export const copyKey = "Copy API key";
export const keyCopied = "The API key was copied.";
export const failedToCopyKey = "Failed to copy the key. Please select and copy it yourself.";
export const keySaved = "I have saved the key";
export const keyCreatedOn = (created: string, used: string | null) =>
  used === null ? `Created ${created}, never used` : `Created ${created}, last used ${used}`;
export const keyExpires = (date: string) => `Expires at the end of ${date}`;
export const keyNeverExpires = "Does not expire";
export const keyExpired = "Expired";
export const revokeKeyConsequence =
  "Everything that uses this key stops working at once. This can't be undone.";
export const keyRevoked = "The API key was revoked.";
export const keyRevokedBefore = "This API key had already been revoked.";
