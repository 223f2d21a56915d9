/** The verifier for whoever has no copy of Quorate: one file for Node, and one page for a browser. Made by the build (app/verify). */
export const VERIFIER_FILES = { program: '/verifier/quorate-verify.mjs', page: '/verifier/quorate-verify.html' } as const;
