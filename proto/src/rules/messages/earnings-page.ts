export const unknownCurrency = "This currency is not known.";
