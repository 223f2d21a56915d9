/** Where the authorization server stands, and the document that RFC 8414 has for an issuer with a path. */
export const MOUNT = '/oauth';
export const DISCOVERY = `/.well-known/oauth-authorization-server${MOUNT}`;

/** Whether this address is the authorization server's. */
export const isAuthorizationPath = (path: string): boolean => path.startsWith(`${MOUNT}/`) || path === DISCOVERY;
