export const EXAMPLE_BASE_URL = "https://tapthru.example";
export const EXAMPLE_CODE = "k7m2pqr";
export const EXAMPLE_HOST = "go.anna.example";
