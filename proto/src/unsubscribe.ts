import * as z from "zod/mini";

/**
 * Ends the weekly email of a user, or the alerts of a webhook: a page with a button, and the request of that button and of mail
 * programs (RFC 8058). Neither needs a session.
 */
export const UNSUBSCRIBE_PATH = "/api/unsubscribe";
export const UnsubscribeQuery = z.object({ token: z.uuid() });
export const unsubscribeUrl = (site: string, token: string) => `${site}${UNSUBSCRIBE_PATH}?token=${token}`;
