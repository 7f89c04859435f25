export const ROUTING_TEXT =
  "Visitors can be sent to the Amazon store of their country, with your tag for it. You need a tag there, and the store must sell the product. Stores that OneLink serves are left to Amazon.";

export const NOT_SAVED = "Not saved. Please try again.";
