import type { Founders, Registration } from '#app/contracts/registration.ts';

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const KINDS = ['open', 'invited', 'closed'] as const;

/** Reads `open`, `invited`, `closed`, or domains between commas; null for anything else. */
export function readRegistration(text: string): Registration | null {
  const value = text.trim().toLowerCase();
  const kind = KINDS.find((known) => known === value);
  if (kind !== undefined) return { kind };
  const domains = value.split(',').map((domain) => domain.trim().replace(/^@/, ''));
  return domains.every((domain) => DOMAIN.test(domain)) ? { kind: 'domains', domains: [...new Set(domains)] } : null;
}

/** Whether this address may have an account without an invitation. A subdomain is another domain. */
export function admitsAddress(registration: Registration, email: string): boolean {
  switch (registration.kind) {
    case 'open':
      return true;
    case 'domains':
      return registration.domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
    default:
      return false;
  }
}

/** Whether somebody with these memberships may found one more workspace. */
export function mayFound(founders: Founders, memberships: readonly { readonly roles: readonly string[] }[]): boolean {
  return founders === 'anyone' || (founders === 'admins' && memberships.some(({ roles }) => roles.includes('admin')));
}
