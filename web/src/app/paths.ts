export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  dashboard: "/dashboard",
  linkCreation: "/link-creation",
  redirect: "/redirect",
  link: (shortCode: string) => `/link/${shortCode}`,
} as const;
