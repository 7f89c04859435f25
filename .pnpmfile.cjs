const OPTIONAL_PEERS = ["react", "react-dom", "vitest"];

/** The api does not use these peers of better-auth, but without this its image would contain them: 127 MB. */
function readPackage(pkg) {
  if (pkg.name !== "better-auth") return pkg;
  for (const peer of OPTIONAL_PEERS) {
    delete pkg.peerDependencies?.[peer];
    delete pkg.peerDependenciesMeta?.[peer];
  }
  return pkg;
}

module.exports = { hooks: { readPackage } };
