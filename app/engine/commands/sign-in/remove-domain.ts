import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Lets a domain go. Its members stay; not while sign-in is enforced, which it would lift for them. */
export const removeDomain = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ domain: z.string() }),
  actions: ['domain.removed'],
  changes: ['quorate.verified_domains'],
  repeat: 'refused',
  refusals: { QS003: { code: 'conflict', reasons: [{ key: 'domainEnforced' }] } },
  async change({ db, principal }, { domain }) {
    const removed = await db
      .deleteFrom('quorate.verified_domains')
      .where('workspace_id', '=', principal.workspace.id)
      .where('domain', '=', domain)
      .returning('verified_at')
      .executeTakeFirst();
    if (removed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'domain.removed',
        resource: { kind: 'domain', id: domain, name: domain },
        payload: { verified: removed.verified_at !== null },
      },
    };
  },
});
