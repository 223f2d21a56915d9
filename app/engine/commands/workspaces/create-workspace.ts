import { sql } from 'kysely';
import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Workspaces that one person rules, at most. */
const MOST_WORKSPACES = 20;

/** Makes a workspace with the person as its admin and builder. */
export const createWorkspace = defineInstanceCommand({
  input: z.object({ id: idSchema, name: z.string(), slug: z.string(), user: idSchema, session: idSchema, userName: z.string() }),
  actions: ['workspace.created'],
  repeat: 'byId',
  async change({ db, newId }, { id, name, slug, user, session, userName }) {
    const { rows } = await sql<{ done: boolean }>`select quorate.create_workspace(
      ${user}::uuid, ${session}::uuid, ${userName}, ${id}::uuid, ${name}, ${slug}, ${newId()}::uuid, ${MOST_WORKSPACES}) as done`.execute(
      db,
    );
    if (rows[0]?.done !== true) throw refusal('invalid_input', 'tooManyWorkspaces', { values: { maximum: MOST_WORKSPACES } });
  },
});
