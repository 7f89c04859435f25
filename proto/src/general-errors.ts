import { error } from "./rules/error.ts";
import { LINK_NOT_FOUND } from "./rules/link-errors.ts";

export const addressTooLong = error("address-too-long", 414, "The address of the request is too long.");
export const badOrigin = error("bad-origin", 403, "Requests from other sites are not allowed.");
export const badToken = error("bad-token", 401, "Your login could not be verified. Please log in again.");
export const bodyTooLarge = error("body-too-large", 413, "The request is too large.");
export const gatewayTimeout = error(
  "gateway-timeout",
  504,
  "The server did not respond in time. Please try again in a few seconds.",
);
export const headersTooLarge = error("headers-too-large", 431, "Clearing the cookies of this site may help.");
export const httpVersionNotSupported = error(
  "http-version-not-supported",
  505,
  "The request uses a version of HTTP that this server does not support.",
);
export const internal = error("internal", 500, "Something went wrong. Please try again.");
export const loginRequired = error("login-required", 401, "Please log in first.");
export const malformedRequest = error("malformed-request", 400, "The request could not be read.");
export const methodNotAllowed = error("method-not-allowed", 405, "This method is not allowed here.");
export const notAllowed = error("not-allowed", 403, "You are not allowed to do this.");
export const notFound = error("not-found", 404, "Not found.");
export const notImplemented = error(
  "not-implemented",
  501,
  "The request uses a feature that this server does not support.",
);
export const recentLoginRequired = error(
  "recent-login-required",
  403,
  "You logged in a while ago. Please confirm that it is you.",
);
export const tagInOtherChannel = error("tag-in-other-channel", 409, "Another of your channels has this tag.");
export const tooManyLinks = error(
  "too-many-links",
  409,
  "This account has the maximum number of links. It can have more once its email address is confirmed. Deleted links count for a day.",
);
export const tooManyRequests = error("too-many-requests", 429, "Too many requests. Please try again in a moment.");
export const unavailable = error(
  "unavailable",
  503,
  "The service is not available right now. Please try again in a moment.",
);
export const unsupportedMediaType = error("unsupported-media-type", 415, "The request must be JSON.");
export const uploadTooSlow = error(
  "upload-too-slow",
  408,
  "The file arrived too slowly. Please try again with a faster connection, or split it.",
);
export const badGateway = error("bad-gateway", 502, unavailable.message);
export const invalidBody = error("invalid-body", 422, malformedRequest.message);
export const invalidQuery = error("invalid-query", 400, malformedRequest.message);
export const malformedBody = error("malformed-body", 400, malformedRequest.message);
export const linkNotFound = error("link-not-found", 404, LINK_NOT_FOUND);
export const linkTakenDown = error("link-taken-down", 403, "This link is no longer available.");
export const slugTaken = error("slug-taken", 409, "This short link name is taken. Please choose another.");
