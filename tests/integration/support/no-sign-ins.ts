import type { SignIns } from '#app/contracts/sign-ins.ts';

/** Of a test in which no connection signs in. */
export const noSignIns: Pick<SignIns, 'token'> = { token: () => Promise.reject(new Error('nothing signs in here')) };
