import { sql } from 'kysely';
import { z } from 'zod';
import { assertPermission } from '#app/domain/people/roles.ts';
import { bytesSchema, defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';

/**
 * Keeps the tokens that a person has consented to, in place of any before: the workspace's, or this member's own. Runs that waited for it go
 * on, each step once.
 */
export const keepSignIn = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    connection: connectionSchema,
    consent: z.uuid(),
    forMember: z.boolean(),
    host: z.string(),
    grant: z.object({
      id: z.uuid(),
      issuer: z.string(),
      resource: z.string(),
      scope: z.string(),
      sealed: bytesSchema,
      expiresAt: z.date().nullable(),
    }),
  }),
  actions: ['connection.signedIn'],
  changes: ['quorate.oauth_grants', 'quorate.oauth_consents'],
  repeat: 'refused',
  async change({ db, principal, now, engine }, { connection, consent, forMember, host, grant }) {
    if (!forMember) assertPermission(principal.roles, 'manageConnection');
    const { userId, workspace } = principal;
    await db.deleteFrom('quorate.oauth_consents').where('id', '=', consent).execute();
    await db
      .deleteFrom('quorate.oauth_grants')
      .where('connection_id', '=', connection.id)
      .where('user_id', forMember ? '=' : 'is', forMember ? userId : null)
      .execute();
    const { id, issuer, resource, scope, sealed, expiresAt } = grant;
    await db
      .insertInto('quorate.oauth_grants')
      .values({
        id,
        workspace_id: workspace.id,
        connection_id: connection.id,
        user_id: forMember ? userId : null,
        issuer,
        resource,
        scope,
        sealed,
        expires_at: expiresAt,
        granted_by: userId,
        granted_at: now(),
      })
      .execute();
    const woken = await sql<{ id: string }>`select quorate.wake_signed_in(${connection.id}, ${forMember ? userId : null}) as id`.execute(
      db,
    );
    for (const id of new Set(woken.rows.map((row) => row.id))) await engine.enqueueRun(db, { id, workspaceId: workspace.id });
    return {
      result: null,
      event: {
        action: 'connection.signedIn',
        resource: { kind: 'connection', id: connection.id, name: connection.name },
        payload: { host, issuer, scope, by: forMember ? 'member' : 'workspace' },
      },
    };
  },
});
