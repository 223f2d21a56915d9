import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { policyDocument, policyHash, policyText, readPolicyDocument } from '#app/engine/policy/author-policy.ts';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { loadDecisions } from '#app/features/policies/replay/load-decisions.server.ts';
import { loadMonitored } from '#app/features/policies/replay/load-monitored.server.ts';
import { readWorkflowNames } from '#app/features/policies/rules/read-workflow-names.server.ts';

/** Author of what Quorate itself put into force. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const SHOWN_DECISIONS = 20;
const SHOWN_VERSIONS = 100;

/** One policy: the active version, all versions, and the decisions that it determined. */
export async function loadPolicy({ params, context }: { params: { policy: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const found = await read(async (db) => {
    const policy = await readPolicy(db, params.policy);
    if (policy === null) return null;
    const versions = await readPolicyVersions(db, policy.id, SHOWN_VERSIONS);
    const control = await readControl(db, policy.id);
    const workflows = await readWorkflowNames(db, member.workspace.id);
    const monitored = await loadMonitored(db, policy.id, context.get(servicesContext).now());
    return {
      policy,
      versions,
      control,
      workflows,
      monitored,
      decisions: await loadDecisions(db, { policyId: policy.id, limit: SHOWN_DECISIONS }),
    };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { policy, decisions } = found;
  const text = policyText(policy.document);
  return inReadersLanguage(context, {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    status: policy.status,
    text,
    rules: text === null ? [] : (readRules(text) ?? []),
    draftWaits:
      policy.draft !== null &&
      policy.contentHash !== null &&
      policyHash(readPolicyDocument(policy.draft) ?? policyDocument('')) !== policy.contentHash,
    mayAuthor: can(member.roles, 'authorPolicy'),
    ...found.control,
    workflows: found.workflows,
    monitored: found.monitored,
    publishedVersionId: policy.publishedVersionId,
    versions: found.versions.map((version) => ({
      id: version.id,
      number: version.number ?? 0,
      hash: version.content_hash,
      at: version.created_at.toISOString(),
      /** Null: Quorate itself. Empty: someone who has left. */
      author: version.author_id === NOBODY ? null : (version.author_name ?? ''),
    })),
    decisions,
  });
}
/** `asks`: another person agrees before anything changes what is in force. `waiting`: the change that waits for them. */
async function readControl(db: Db, policyId: string) {
  const waiting = await db
    .selectFrom('quorate.control_changes')
    .select('id')
    .where('resource_id', '=', policyId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return { asks: await secondPersonAgrees(db), waiting: waiting ?? null };
}

export type LoadedPolicy = Awaited<ReturnType<typeof loadPolicy>>;

/** The draft of a policy, else its published text: the editor's initial content. */
export async function loadPolicyForEdit({ params, context }: { params: { policy: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  if (!can(member.roles, 'authorPolicy')) throw data({ code: 'forbidden' }, { status: 403 });
  const policy = await read((db) => readPolicy(db, params.policy));
  if (policy === null) throw data({ code: 'not_found' }, { status: 404 });
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    revision: policy.draftRevision,
    text: policyText(policy.draft ?? policy.document) ?? '',
    examples: readPolicyDocument(policy.draft ?? policy.document)?.examples ?? [],
  };
}

/** A policy with its draft and its published version; null: there is none. */
export async function readPolicy(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return null;
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .leftJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .leftJoin('quorate.drafts as d', (join) => join.onRef('d.artifact_id', '=', 'a.id').onRef('d.revision', '=', 'a.draft_revision'))
    .select([
      'a.id',
      'a.name',
      'a.description',
      'a.status',
      'a.draft_revision as draftRevision',
      'a.published_version_id as publishedVersionId',
      'v.document',
      'v.content_hash as contentHash',
      'd.document as draft',
    ])
    .where('a.id', '=', id)
    .where('a.kind', '=', 'policy')
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The versions of a policy with the names of their authors, the newest first. */
export function readPolicyVersions(db: Db, policyId: string, most: number) {
  return db
    .selectFrom('quorate.versions as v')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.user_id', '=', 'v.author_id').onRef('m.workspace_id', '=', 'v.workspace_id'))
    .select(['v.id', 'v.number', 'v.content_hash', 'v.created_at', 'v.author_id', 'm.name as author_name'])
    .where('v.artifact_id', '=', policyId)
    .where('v.number', 'is not', null)
    .orderBy('v.number', 'desc')
    .limit(most)
    .execute();
}
