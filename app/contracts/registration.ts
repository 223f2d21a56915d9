/** The people who may make an account on this instance. An invited address may in every case but `closed`. */
export type Registration =
  | { readonly kind: 'open' }
  /** `domains`: in lower case, as mails name them. */
  | { readonly kind: 'domains'; readonly domains: readonly string[] }
  | { readonly kind: 'invited' }
  | { readonly kind: 'closed' };

/** The people who may found workspaces. The first of an instance may be founded by whoever may have an account without an invitation. */
export const FOUNDERS = ['anyone', 'admins', 'nobody'] as const;
export type Founders = (typeof FOUNDERS)[number];
