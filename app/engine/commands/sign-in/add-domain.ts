import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Of one workspace. */
const MOST_DOMAINS = 50;
const TOKEN_BYTES = 24;

/** Names an e-mail domain that the workspace means to prove. */
export const addDomain = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ domain: z.string().max(253) }),
  actions: ['domain.added'],
  changes: ['quorate.verified_domains'],
  repeat: 'refused',
  refusals: {
    23505: { code: 'conflict', field: 'domain', reasons: [{ key: 'domainKnown' }] },
    23514: { code: 'invalid_input', field: 'domain', reasons: [{ key: 'domainShape' }] },
  },
  async change({ db, principal }, { domain }) {
    const workspace_id = principal.workspace.id;
    const kept = await db.selectFrom('quorate.verified_domains').select('domain').where('workspace_id', '=', workspace_id).execute();
    if (kept.length >= MOST_DOMAINS)
      throw refusal('invalid_input', 'tooManyDomains', { field: 'domain', values: { maximum: MOST_DOMAINS } });
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await db.insertInto('quorate.verified_domains').values({ workspace_id, domain, token }).execute();
    return { result: null, event: { action: 'domain.added', resource: { kind: 'domain', id: domain, name: domain }, payload: {} } };
  },
});
