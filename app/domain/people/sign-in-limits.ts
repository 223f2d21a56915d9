/** Wrong passwords of one account, from anywhere, within this many seconds, until signing in is refused. */
export const SIGN_IN_ACCOUNT_LIMIT = { max: 50, windowSeconds: 15 * 60 } as const;
/** The same from one address alone. */
export const SIGN_IN_FROM_HERE_LIMIT = { max: 10, windowSeconds: 15 * 60 } as const;
