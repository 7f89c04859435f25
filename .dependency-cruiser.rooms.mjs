import imports from "./.dependency-cruiser.mjs";

/** Folders never import each other in a circle. Types may: an import of a type is gone before the program runs. */
export default {
  forbidden: [{ name: "no-cycle-of-folders", severity: "error", scope: "folder", from: {}, to: { circular: true } }],
  options: {
    ...imports.options,
    tsPreCompilationDeps: false,
    exclude: { path: "[.]test[.]tsx?$|/testing/|/generated/" },
  },
};
