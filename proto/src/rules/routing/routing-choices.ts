/** Where visitors go if their store is not known to sell the product. */
export const ROUTING_FALLBACKS = ["original", "search"] as const;

/** What the owner chose for one link; `account`: as the settings of the account say. */
export const ROUTING_CHOICES = ["account", "on", "off"] as const;
export type RoutingChoice = (typeof ROUTING_CHOICES)[number];
