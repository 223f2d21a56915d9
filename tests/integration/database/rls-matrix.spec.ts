/**
 * Who may read (r), insert (i), update (u) and delete (d) rows of a workspace, table by table. The rows belong to the
 * builder and nothing of theirs is published; every principal tries with rows of its own making. A `-` is nothing at all.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '#app/platform/database/process-proof.server.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { accessTo, updatableColumns } from '#tests/integration/support/table-access.ts';
import { newRow } from '#tests/integration/support/workspace-rows.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let app: pg.Client;
let here: PopulatedWorkspace;
let elsewhere: PopulatedWorkspace;
beforeAll(async () => {
  db = await createTestDatabase();
  app = new pg.Client(db.appLogin);
  await app.connect();
  await openSession(app, db.appLogin.processKey);
  here = await populateWorkspace(db);
  elsewhere = await populateWorkspace(db);
});
afterAll(async () => {
  await app.end();
  await db.close();
});

const EXPECTED = `
table                  user builder approver auditor admin key  stranger nobody worker elsewhere app
agent_records          -    r       r        r       r     -    -        -      -      -         -
api_keys               i    riu     i        i       riu   -    -        -      -      -         -
approval_comments      -    r       r        r       r     r    -        -      -      -         -
approval_votes         -    r       r        r       r     r    -        -      r      -         -
approvals              -    r       r        r       r     r    -        -      r      -         -
artifacts              -    riu     r        r       r     riu  -        -      r      -         -
attestations           r    r       r        r       r     -    -        -      -      -         -
audit_events           i    i       i        ri      ri    i    -        -      riu    -         -
audit_nodes            r    r       r        r       r     r    -        -      ri     -         -
authenticators         -    -       -        -       -     -    -        -      -      -         -
authorization_records  -    -       -        -       -     -    -        -      -      -         -
avatars                ri   riud    ri       ri      ri    -    i        i      -      -         -
capabilities           r    riu     ru       r       riu   r    -        -      riu    -         -
caught_mails           -    -       -        -       -     -    -        -      -      -         -
checkpoints            r    r       r        r       r     r    -        -      riu    -         -
company_identities     -    -       -        r       r     -    -        -      -      -         -
company_one_time       -    -       -        -       -     -    -        -      -      -         -
company_sessions       -    -       -        -       -     -    -        -      -      -         -
connection_calls       -    r       r        r       r     r    -        -      -      -         -
connection_traffic     r    r       r        r       r     r    -        -      -      -         -
connections            r    riu     ru       r       ru    r    -        -      ru     -         -
contact_requests       -    -       -        -       ru    -    -        -      -      -         -
control_changes        -    r       r        r       r     -    -        -      -      -         -
control_secrets        -    -       -        -       -     -    -        -      -      -         -
control_terms          -    -       -        -       -     -    -        -      -      -         -
control_votes          -    r       r        r       r     -    -        -      -      -         -
cosignatures           r    r       r        r       r     r    -        -      ri     -         -
decisions              -    r       r        r       r     r    -        -      r      -         -
deliveries             i    i       i        ri      ri    -    -        -      ri     -         -
deputies               r    r       r        r       r     -    -        -      -      -         -
directory_group_people -    -       -        -       r     -    -        -      -      -         -
directory_groups       -    -       -        -       r     -    -        -      -      -         -
directory_people       -    -       -        -       r     -    -        -      -      -         -
directory_refusals     -    -       -        -       r     -    -        -      -      -         -
directory_tokens       -    -       -        -       riu   -    -        -      -      -         -
drafts                 -    rid     r        r       r     rid  -        -      r      -         -
evidence_grants        -    r       r        r       r     -    -        -      -      -         -
file_removals          -    -       -        -       -     -    -        -      -      -         -
files                  i    rid     i        i       i     -    -        -      r      -         -
gateway_tools          r    riud    r        r       riud  r    -        -      -      -         -
gateways               r    riud    r        r       riud  r    -        -      -      -         -
group_roles            -    -       r        r       r     -    -        -      -      -         -
human_tasks            -    r       r        r       r     r    -        -      -      -         -
identity_providers     -    -       -        r       riud  -    -        -      -      -         -
impact_assessments     -    r       r        r       r     -    -        -      -      -         -
incident_clocks        -    r       r        r       r     -    -        -      -      -         -
incident_entries       -    r       r        r       r     -    -        -      -      -         -
incidents              -    r       r        r       r     -    -        -      -      -         -
invitations            -    -       -        -       riu   -    -        -      -      -         -
log_audits             -    -       -        -       -     -    -        -      -      -         -
member_settings        i    riu     i        i       i     -    -        -      -      -         -
members                r    r       r        r       rud   r    -        -      r      -         -
newsletter_subscribers -    -       -        -       -     -    -        -      -      -         -
notifications          -    ru      -        -       -     -    -        -      r      -         -
oauth_clients          -    rid     -        -       rid   -    -        -      riud   -         -
oauth_consents         -    -       -        -       -     -    -        -      -      -         -
oauth_grants           i    rid     i        i       rid   -    -        -      ru     -         -
partial_texts          -    r       r        r       r     r    -        -      -      -         -
passkeys               -    r       -        -       -     -    -        -      -      -         -
policy_replay_changes  -    r       r        r       r     -    -        -      -      -         -
policy_replays         -    r       r        r       r     -    -        -      r      -         -
preferences            i    riu     i        i       i     -    i        i      -      -         -
process_key            -    -       -        -       -     -    -        -      -      -         -
rate_limits            -    -       -        -       -     -    -        -      -      -         -
reauthentications      -    -       -        -       -     -    -        -      -      -         -
recovered_sessions     -    -       -        -       -     -    -        -      -      -         -
recovery_codes         -    -       -        -       -     -    -        -      -      -         -
registries             r    riud    r        r       r     -    -        -      -      -         -
run_events             -    -       -        -       -     -    -        -      -      -         -
run_files              -    r       r        r       r     r    -        -      -      -         -
run_texts              -    r       r        r       r     r    -        -      -      -         -
runs                   i    riu     ri       ri      riu   riu  -        -      r      -         -
saml_keys              -    -       -        r       riud  -    -        -      -      -         -
saved_views            i    riud    i        i       i     -    -        -      -      -         -
session_factors        -    -       -        -       -     -    -        -      -      -         -
sign_in_waits          -    r       r        r       r     r    -        -      -      -         -
step_attempts          -    r       r        r       r     r    -        -      -      -         -
step_pins              -    rd      -        -       -     -    -        -      -      -         -
steps                  -    r       r        r       r     r    -        -      r      -         -
text_readers           -    -       -        -       -     -    -        -      -      -         -
time_stamps            r    r       r        r       r     r    -        -      ri     -         -
triggers               -    riud    -        -       -     riud -        -      r      -         -
used_challenges        -    -       -        -       -     -    -        -      -      -         -
user_sessions          -    r       -        -       -     -    -        -      -      -         -
verified_domains       -    -       -        r       riud  -    -        -      -      -         -
versions               -    ri      r        r       r     ri   -        -      r      -         -
watchers               -    -       -        r       r     -    -        -      riu    -         -
watches                -    rid     i        i       i     -    -        -      -      -         -
watching               -    -       -        -       -     -    -        -      -      -         -
workspaces             r    r       r        r       ru    r    -        -      r      -         -
`;

type Principal = { role: string; become: string; actorId: string; keyId?: string };
const asMember = (userId: string, sessionId: string, workspaceId: string | null): Principal => ({
  role: 'quorate_member',
  become: `select quorate.become_member('${userId}', '${sessionId}', ${workspaceId === null ? 'null' : `'${workspaceId}'`})`,
  actorId: userId,
});
const asWorker = (workspaceId: string): Principal => ({
  role: 'quorate_worker',
  become: `select quorate.become_worker('${workspaceId}')`,
  actorId: here.members.builder.id,
});

async function principals(): Promise<Record<string, Principal>> {
  const members = Object.entries(here.members).map(([role, member]): [string, Principal] => [
    role,
    asMember(member.id, member.sessionId, here.id),
  ]);
  const stranger = elsewhere.members.admin;
  const nobodySession = await db.makeSession(here.newcomer.id);
  return {
    ...Object.fromEntries(members),
    key: {
      role: 'quorate_member',
      become: `select quorate.become_key('\\x${here.key.hash.toString('hex')}')`,
      actorId: here.members.builder.id,
      keyId: here.key.id,
    },
    stranger: asMember(stranger.id, stranger.sessionId, elsewhere.id),
    nobody: asMember(here.newcomer.id, nobodySession, null),
    worker: asWorker(here.id),
    elsewhere: asWorker(elsewhere.id),
    app: { role: 'quorate_app', become: 'select 1', actorId: here.members.builder.id },
  };
}

async function matrix(): Promise<string> {
  const columns = await principals();
  const lines = [['table', ...Object.keys(columns)]];
  for (const table of Object.keys(newRow).sort()) {
    const line = [table];
    for (const principal of Object.values(columns)) {
      const client = app;
      try {
        const updatable = await updatableColumns(client, principal.role);
        await client.query(`begin; set local role ${principal.role}; ${principal.become}`);
        line.push(
          await accessTo(
            client,
            table,
            here.rowOf[table] ?? 'false',
            { ...here.subject, actorId: principal.actorId, keyId: principal.keyId ?? null },
            updatable,
          ),
        );
      } finally {
        await client.query('rollback');
      }
    }
    lines.push(line);
  }
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' ')
        .trimEnd(),
    )
    .join('\n');
}

test('every table answers every principal as designed, and nothing more', async () => {
  expect(await matrix()).toBe(EXPECTED.trim());
});
