/** All of the protocol that sign-ins use, loaded at once. */
export { authFetch } from '#app/engine/mcp/oauth/auth-fetch.ts';
export { beginConsent, finishConsent, stateDigest } from '#app/engine/mcp/oauth/consent.ts';
export { discover, offerOf } from '#app/engine/mcp/oauth/discover.ts';
export { renewTokens, revokeTokens } from '#app/engine/mcp/oauth/renew.ts';
