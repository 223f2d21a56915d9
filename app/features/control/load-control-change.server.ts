import { type Selectable, sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { type DiffLine, diffLines } from '#app/components/value/diff-lines.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { authContext, memberContext } from '#app/contracts/request-context.ts';
import type { BreakGlassTable } from '#app/contracts/tables.ts';
import {
  artifactOf,
  type ControlSubject,
  checkpointsOf,
  controlSubjectSchema,
  credentialOf,
  groupsOf,
  networkOf,
  permitsOf,
  proofOf,
  riskClassOf,
  rolesOf,
  sessionsOf,
  settingsOf,
  signInOf,
} from '#app/domain/control/control-subject.ts';
import { can } from '#app/domain/people/roles.ts';
import { proofText } from '#app/domain/proof/proof-text.ts';
import type { Language } from '#app/domain/web/languages.ts';
import { describeCertificate } from '#app/engine/company/describe-certificate.ts';
import { changeName } from '#app/engine/control/change-name.ts';
import { controlRefusalOf } from '#app/engine/control/control-refusals.ts';
import { type PolicyReplay, replayVersion } from '#app/engine/policy/replay-change.ts';
import { type ForceDifference, loadDifference } from '#app/features/control/load-difference.server.ts';
import { loadLeaving } from '#app/features/control/load-leaving.server.ts';
import { loadTools } from '#app/features/control/load-tools.server.ts';
import { requireControlReader } from '#app/features/control/require-reader.server.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

/** So many runs are decided again with a policy that waits. */
const REPLAYED_RUNS = 20;

/** One control change: what it would change, from before to after, who asked and why, and whether this member may decide on it. */
export async function loadControlChange({ params, context }: { params: { change: string }; context: Readonly<RouterContextProvider> }) {
  requireControlReader({ context });
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.change).data;
  const language = getLanguage(context);
  const found = id === undefined ? null : await read((db) => readChange(db, id, { roles: member.roles, language }));
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { row, subject, votes, people, refusal } = found;
  const nameOf = (userId: string) => people.find((person) => person.user_id === userId)?.name ?? '';
  return inReadersLanguage(context, {
    ways: await context.get(authContext).proofWays(),
    id: row.id,
    kind: row.kind,
    status: row.status,
    /** Empty: it is gone. */
    name: row.name,
    resource: row.resource_id,
    digest: row.digest,
    reason: subject.reason,
    requestedBy: nameOf(row.requested_by),
    at: row.created_at.toISOString(),
    dueAt: row.due_at.toISOString(),
    difference: found.difference,
    tools: found.tools,
    replay: found.replay,
    riskClass: { before: riskClassOf(subject.before), after: riskClassOf(subject.after) },
    permits: { before: permitsOf(subject.before), after: permitsOf(subject.after) },
    proof: proofLines(subject),
    network: { before: networkOf(subject.before), after: networkOf(subject.after) },
    checkpoints: { before: checkpointsOf(subject.before), after: checkpointsOf(subject.after) },
    signIn: { before: signInOf(subject.before), after: signInOf(subject.after) },
    groups: { before: groupsOf(subject.before), after: groupsOf(subject.after) },
    sessions: { before: sessionsOf(subject.before), after: sessionsOf(subject.after) },
    /** Names of members that the sign-in exempts, by their ids; who has left is in none. */
    exempt: Object.fromEntries(people.map((person) => [person.user_id, person.name])),
    /** SHA-256 (hex) of the certificates of a SAML provider, by their text. */
    fingerprints: fingerprintsIn(subject),
    credential: { before: credentialOf(subject.before), after: credentialOf(subject.after) },
    leaving: found.leaving,
    settings: { before: settingsOf(subject.before), after: settingsOf(subject.after) },
    roles: { before: rolesOf(subject.before), after: rolesOf(subject.after) },
    votes: votes.map((vote) => ({
      voter: vote.voter_name,
      vote: vote.vote,
      reason: vote.reason,
      at: vote.voted_at.toISOString(),
      meaning: vote.meaning,
    })),
    refusal: controlRefusalOf(refusal),
    glass: found.glass === undefined ? null : shownGlass(found.glass, nameOf),
    /** Why this member cannot break the glass; null: they can. */
    glassRefusal: controlRefusalOf(found.glassRefusal),
    mine: row.requested_by === member.userId || found.glass?.user_id === member.userId,
    /** The names of all who may decide. */
    deciders: people
      .filter(
        (person) =>
          person.roles.some((role) => role === 'admin' || role === 'approver') &&
          person.user_id !== found.glass?.user_id &&
          mayDecide(subject, row, person.user_id, found),
      )
      .map((person) => person.name),
  });
}

function fingerprintsIn({ before, after }: ControlSubject): Readonly<Record<string, string>> {
  const certificates = [before, after].flatMap((state) => signInOf(state)?.provider?.saml?.certificates ?? []);
  return Object.fromEntries(certificates.map((one) => [one, describeCertificate(one).fingerprint]));
}
export type LoadedControlChange = Awaited<ReturnType<typeof loadControlChange>>;

async function readChange(db: Db, id: string, { roles, language }: { roles: readonly Role[]; language: Language }) {
  const row = await db
    .selectFrom('quorate.control_changes as c')
    .selectAll('c')
    .select(changeName.as('name'))
    .where('c.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const subject = controlSubjectSchema.parse(row.subject);
  const votes = await db.selectFrom('quorate.control_votes').selectAll().where('change_id', '=', id).orderBy('voted_at').execute();
  const glass = await db.selectFrom('quorate.break_glass').selectAll().where('change_id', '=', id).executeTakeFirst();
  const people = await db
    .selectFrom('quorate.members')
    .select(['user_id', 'name', 'roles'])
    .where('workspace_id', '=', row.workspace_id)
    .where((eb) =>
      eb.or([
        eb('user_id', 'in', [
          row.requested_by,
          row.resource_id,
          ...(glass === undefined ? [] : [glass.user_id]),
          ...(signInOf(subject.before)?.exempt ?? []),
          ...(signInOf(subject.after)?.exempt ?? []),
        ]),
        sql<boolean>`roles && array['admin', 'approver']`,
      ]),
    )
    .orderBy('name')
    .orderBy('user_id')
    .execute();
  const { rows } = await sql<{ state: string | null; glass: string | null }>`
    select quorate.my_control_refusal(${id}) as state, quorate.my_break_glass_refusal(${id}) as glass`.execute(db);
  const [difference, tools] = [
    await loadDifference(db, subject, row.status === 'pending'),
    await loadTools(db, subject, row.status === 'pending'),
  ];
  const replay = row.status === 'pending' && can(roles, 'seeAllRuns') ? await loadReplay(db, subject) : null;
  const leaving = await loadLeaving(db, id, subject, language);
  const refusals = rows[0] ?? { state: 'QV001', glass: 'QV001' };
  return { row, subject, votes, people, glass, difference, tools, replay, leaving, refusal: refusals.state, glassRefusal: refusals.glass };
}

function shownGlass(glass: Selectable<BreakGlassTable>, nameOf: (userId: string) => string) {
  return {
    by: nameOf(glass.user_id),
    reason: glass.reason,
    at: glass.started_at.toISOString(),
    until: glass.ends_at.toISOString(),
    endedAt: glass.ended_at?.toISOString() ?? null,
    outcome: glass.outcome,
  };
}

/** The decisions of the latest runs if the policy were as asked for; null for a change of another kind. */
async function loadReplay(db: Db, { kind, resource, workspace, after }: ControlSubject): Promise<PolicyReplay | null> {
  if (artifactOf(kind) !== 'policy' || after === null) return null;
  const versionId = 'status' in after && after.status === 'active' ? after.versionId : null;
  return replayVersion(db, { policyId: resource, versionId, workspaceId: workspace, runs: REPLAYED_RUNS });
}

/** Who watches the log from outside, before and after, line by line; null for a change of another kind. */
function proofLines({ before, after }: ControlSubject): DiffLine[] | null {
  const [from, to] = [proofOf(before), proofOf(after)];
  return from === null || to === null ? null : diffLines(proofText(from), proofText(to));
}

/** The rules of `quorate.control_refusal` about people. */
function mayDecide(
  { kind, before, after, resource }: ControlSubject,
  { requested_by }: { requested_by: string },
  userId: string,
  { difference }: { difference: ForceDifference | null },
): boolean {
  if (userId === requested_by) return false;
  if (kind.endsWith('_publish')) return difference?.author !== userId;
  if (kind === 'member_roles' && userId === resource) return rolesOf(after).every((role) => rolesOf(before).includes(role));
  return true;
}
