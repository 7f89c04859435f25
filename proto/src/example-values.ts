export const EXAMPLE_BASE_URL = "https://tapthru.example";
export const EXAMPLE_UID = "Zq3vYt8Wc1hN5bKx7RmLpD2sEfGa";
export const EXAMPLE_CODE = "k7m2pqr";
export const EXAMPLE_STORE_URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=anna-21";
export const EXAMPLE_SHORT_STORE_URL = "https://amzn.eu/d/3uRoPe1";

export const EXAMPLE_ADDRESS_HASH = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";

export const EXAMPLE_HOST = "go.anna.example";
