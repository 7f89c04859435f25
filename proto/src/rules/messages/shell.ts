export const offlineTitle = "You're offline";
export const offlineText = "Check your internet connection, then reload the page.";
export const reload = "Reload";

export const yourAccount = "Your account";
export const amazonProduct = "Amazon Product";
export const amazonProductWithId = (id: string) => `Amazon Product: ${id}`;
