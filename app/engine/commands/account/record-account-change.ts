import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';

const DONE_BY_AUTH_SERVICE = [
  'account.emailChangeRequested',
  'account.passwordChanged',
  'session.allEnded',
  'session.othersEnded',
] as const;

/** Records what the auth service did to one's account, which it does outside of our transactions. No address and no secret enters the log. */
export const recordAccountChange = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ done: z.enum(DONE_BY_AUTH_SERVICE) }),
  actions: DONE_BY_AUTH_SERVICE,
  changes: [],
  repeat: 'repeats',
  async change({ principal }, { done }) {
    return { result: null, event: { action: done, resource: { kind: 'member', id: principal.userId, name: principal.name } } };
  },
});
