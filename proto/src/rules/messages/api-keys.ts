import { KEY_NAME_MAX_LENGTH, KEYS_MAX_COUNT } from "../limits.ts";

export const badKey = "This API key is not valid.";
export const keyRequired = "Please send an API key: Authorization: Bearer tt_…";
export const missingScope = (scope: string) => `This API key does not have the scope ${scope}.`;
export const keyNotAllowed = "API keys cannot be used here. Please log in instead.";
export const tooManyKeys = `You have ${KEYS_MAX_COUNT} API keys, the maximum. Please revoke one first.`;
export const keyNameRequired = "Please enter a name";
export const keyNameTooLong = `Name must be at most ${KEY_NAME_MAX_LENGTH} characters`;
export const scopeRequired = "Please choose at least one permission";
