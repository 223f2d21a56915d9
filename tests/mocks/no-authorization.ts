import type { AuthorizationServer } from '#app/contracts/clients/authorization.ts';

/** Knows no request: for pages that are drawn without a server. */
export const NO_AUTHORIZATION: AuthorizationServer = {
  issuer: 'http://localhost:3000/oauth',
  readRequest: async () => null,
  accept: async () => null,
  refuse: async () => null,
};
