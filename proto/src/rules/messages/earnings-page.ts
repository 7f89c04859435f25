// Not in all.ts, which is in the first script.

// The card on a link's page
export const unknownCurrency = "This currency is not known.";
