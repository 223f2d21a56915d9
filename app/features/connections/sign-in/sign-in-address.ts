import { href } from 'react-router';

/** The page of a connection that signs in, and the one on which it does. */
export const pageOf = (connection: string) => href('/dashboard/plugins/:connection', { connection });
export const signInPageOf = (connection: string) => href('/dashboard/plugins/:connection/sign-in', { connection });
