import type { Registration } from '#app/contracts/registration.ts';

/**
 * The people who may make an account by a page: as the instance is set, the holder of an invitation, whose address it names, or whoever a
 * company's directory expects, of whom the page says to nobody who that is.
 */
export type Admission = Registration | { readonly kind: 'invitation'; readonly email: string } | { readonly kind: 'expected' };
