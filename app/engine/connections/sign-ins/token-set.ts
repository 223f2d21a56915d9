import type { Sealer } from '#app/contracts/ports.ts';

/** The contexts under which parts of a sign-in are sealed, so that none opens for another row. */
export const grantContext = (id: string) => `oauth_grants/${id}`;
export const consentContext = (id: string) => `oauth_consents/${id}`;
export const clientContext = (connectionId: string) => `oauth_clients/${connectionId}`;

export const sealJson = (sealer: Sealer, value: unknown, context: string) => sealer.seal(JSON.stringify(value), context);
/** Tokens as we sealed them ourselves, so that their shape needs no second check. */
export const openJson = <T>(sealer: Sealer, sealed: Uint8Array, context: string): T => JSON.parse(sealer.open(sealed, context)) as T;

/** The end of a token that lasts `seconds` from now; null where the issuer names none. */
export const endOf = (now: Date, seconds: number | undefined) => (seconds === undefined ? null : new Date(now.getTime() + seconds * 1_000));
