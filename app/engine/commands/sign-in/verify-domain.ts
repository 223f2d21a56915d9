import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { domainProof } from '#app/domain/people/company-sign-in.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Takes a domain as proven by its TXT records, which were read just now. A domain counts for one workspace of the instance. */
export const verifyDomain = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ domain: z.string(), records: z.array(z.string()) }),
  actions: ['domain.verified'],
  changes: ['quorate.verified_domains'],
  repeat: 'refused',
  refusals: { 23505: { code: 'conflict', reasons: [{ key: 'domainTaken' }] } },
  async change({ db, principal, now }, { domain, records }) {
    const row = await db
      .selectFrom('quorate.verified_domains')
      .select(['token', 'verified_at'])
      .where('workspace_id', '=', principal.workspace.id)
      .where('domain', '=', domain)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    if (row.verified_at !== null) throw new AppError('conflict');
    if (!records.some((record) => record.trim() === domainProof(row.token)))
      throw refusal('invalid_input', 'domainNotProven', { values: { count: records.length } });
    await db
      .updateTable('quorate.verified_domains')
      .set({ verified_at: now() })
      .where('workspace_id', '=', principal.workspace.id)
      .where('domain', '=', domain)
      .execute();
    return { result: null, event: { action: 'domain.verified', resource: { kind: 'domain', id: domain, name: domain }, payload: {} } };
  },
});
