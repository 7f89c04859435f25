import { nameInEmail } from "../names.ts";

interface FailingChannel {
  name: string;
  /** Such as amazon.de. */
  store: string;
  productName: string;
  url: string;
}

/** The email to the owner of a channel whose clicks arrive at Amazon less often than before. */
export const channelNotice = ({ name, store, productName, url }: FailingChannel) => ({
  subject: `Fewer clicks of ${nameInEmail(name)} arrive at ${store}`,
  text: `Amazon's latest tracking report for ${store} has far fewer clicks for your channel ${nameInEmail(name)} than before, compared with the people who opened its links at ${productName} on the same days. Your tags may get lost on the way.

What to check:
- Do the links of this channel have the right tag?
- Does Amazon still list this tracking ID in your account?
- Does the report have all tracking IDs of the channel?
- Open a link of the channel on your phone: does Amazon's app open the product?

The figures are here: ${url}`,
});
