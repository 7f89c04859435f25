export const opensYourStore = (store: string) => `This opens ${store}, the store for your country.`;
export const openOriginalStore = (store: string) => `Go to ${store} instead`;
