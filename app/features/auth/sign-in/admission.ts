import type { Registration } from '#app/contracts/registration.ts';

/** The people who may make an account by a page: as the instance is set, or the holder of an invitation, whose address it names. */
export type Admission = Registration | { readonly kind: 'invitation'; readonly email: string };
