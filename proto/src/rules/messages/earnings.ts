import { EARNINGS_FILE_MAX_BYTES } from "../limits.ts";

export const earningsFileTooLarge = `The file is larger than ${EARNINGS_FILE_MAX_BYTES / (1_024 * 1_024)} MB.`;
export const fileExpected = "Send the file with the content type application/octet-stream.";
export const earningsNotReady = "The file is not read yet.";
export const earningsStored = "The import is stored already.";
export const tooManyEarningsImports = "You have as many imports as possible. Remove one first.";
