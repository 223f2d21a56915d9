import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import type { CommandCall, EventOf } from '#app/engine/commands/command.ts';
import { holdInForce, putInForce } from '#app/engine/control/in-force.ts';
import { type ControlOutcome, requestControlChange } from '#app/engine/control/request-control-change.ts';
import { agentsOf, freezeVersion, type VersionContent } from '#app/engine/workflows/freeze-version.ts';

/** `needed`: another person agrees first; `alone`: there would be nobody; `none`: the workspace does not ask, or the version has no effects. */
export type VersionReview = 'needed' | 'alone' | 'none';

type Draft = { document: WorkflowDocument; own?: VersionContent['agents'] };

/**
 * Whether another person would agree first if this draft were published now. Effects are those of steps and of the agents' tools: the
 * definitions that a version freezes beside them say nothing more.
 */
export async function reviewOfDraft(db: Db, { document, own = {} }: Draft): Promise<VersionReview> {
  const content = { ...document, agents: await agentsOf(db, document, own) };
  return reviewOf(db, sql`${JSON.stringify(content)}::jsonb`);
}

async function reviewOf(db: Db, document: RawBuilder<unknown>): Promise<VersionReview> {
  const { rows } = await sql<{ review: VersionReview }>`select quorate.review_of_version(${document}) as review`.execute(db);
  // without an answer nobody publishes alone
  return rows[0]?.review ?? 'needed';
}

type Published = { kind: 'workflow' | 'agent'; id: string; name: string; reason: string } & Draft;

/**
 * Freezes a document as the next version and puts it into force, or asks another person to agree to that (result `requested`). Where the
 * workspace asks for another person and has none, the event says that the two were not separated.
 * @throws Refusal beside the field `reason`, where another person is asked and nothing is said
 */
export async function publishVersion<Action extends 'workflow.published' | 'agent.published'>(
  call: CommandCall,
  action: Action,
  { kind, id, name, reason, document, own }: Published,
): Promise<{ result: ControlOutcome<'done'>; event: EventOf<Action | 'change.requested'> }> {
  const { db, principal, newId, now } = call;
  const { before } = await holdInForce(db, { kind, id });
  const version = await freezeVersion(db, {
    id: newId(),
    workspaceId: principal.workspace.id,
    artifactId: id,
    authorId: principal.userId,
    document,
    ...(own === undefined ? {} : { own }),
    publish: true,
  });
  const review = await reviewOf(db, sql`(select v.document::jsonb from quorate.versions v where v.id = ${version.id})`);
  const after = { status: 'active', versionId: version.id } as const;
  if (review === 'needed') {
    const resource = { id, name };
    return requestControlChange(call, 'change.requested', { kind: `${kind}_publish`, resource, before, after, reason });
  }
  await putInForce(db, { kind, id, state: after, now: now() });
  const payload = { version: version.number, contentHash: version.contentHash, ...(review === 'alone' && { separated: false, reason }) };
  return { result: { state: 'done' }, event: { action, resource: { kind, id, name }, payload } };
}
