/** For axe in each browser. Its check of target sizes is off by default. */
export const AXE_OPTIONS = { rules: { "target-size": { enabled: true } } };
