import { href } from 'react-router';
import { z } from 'zod';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { type AuditFilter, NO_FILTER } from '#app/features/audit/audit-filter-facts.ts';

const text = (longest: number) => z.string().trim().max(longest).catch('').default('');
const date = z.union([z.literal(''), z.iso.date()]).default('');

/** The filters of the audit page as its address carries them. Days are UTC, as the log is. */
const auditFilterSchema = z
  .object({ user: text(80), action: text(80), resource: text(120), from: date, until: date })
  .refine((filter) => filter.from === '' || filter.until === '' || filter.from <= filter.until);

/** The filter as typed, and whether it can be used. */
export function readAuditFilter(params: URLSearchParams): { filter: AuditFilter; valid: boolean } {
  const typed = Object.fromEntries(
    Object.keys(NO_FILTER).map((name) => [name, params.get(name)?.trim().slice(0, 120) ?? '']),
  ) as AuditFilter;
  return { filter: typed, valid: auditFilterSchema.safeParse(typed).success };
}

export const AUDIT: ListAddress = { name: 'audit', path: href('/dashboard/audit'), params: [...Object.keys(NO_FILTER), 'sort'] };
