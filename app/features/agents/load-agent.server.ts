import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { agentPresence } from '#app/domain/connections/agent-presence.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { stepStatusIn } from '#app/domain/runs/run-status.ts';
import { type AgentDocument, checkAgent, EMPTY_AGENT, versionDocumentSchema, workflowOfAgent } from '#app/domain/workflows/agent.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { loadAgentCatalogue } from '#app/engine/workflows/load-agent-catalogue.ts';
import { reviewOfDraft } from '#app/engine/workflows/publish-version.ts';
import { readStanding } from '#app/features/agents/read-standing.server.ts';

type Arguments = { params: { agent: string }; context: Readonly<RouterContextProvider> };

const SHOWN = 10;

export function requireAgentAuthor(context: Readonly<RouterContextProvider>) {
  const access = context.get(memberContext);
  assertPermission(access.member.roles, 'authorWorkflow');
  return access;
}

export function requireAgentId(id: string): string {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found');
  return id;
}

/** An agent for its page: active version, gaps of the draft, versions and latest runs. */
export async function loadAgent({ params, context }: Arguments) {
  const { member, read } = context.get(memberContext);
  const id = requireAgentId(params.agent);
  const mayAuthor = can(member.roles, 'authorWorkflow');
  return read(async (db) => {
    const row = await readAgent(db, id);
    const versions = await readVersions(db, id);
    const stored = await db
      .selectFrom('quorate.versions')
      .where('id', '=', row.published_version_id ?? '00000000-0000-0000-0000-000000000000')
      .select('document')
      .executeTakeFirst();
    const runs = await readRuns(db, id);
    const draft = mayAuthor ? await readDraft(db, row) : null;
    const published = versions.find((version) => version.id === row.published_version_id);
    const inForce =
      published === undefined || stored === undefined
        ? null
        : {
            number: published.number ?? 0,
            contentHash: published.content_hash,
            document: versionDocumentSchema.parse(stored.document).agents[id]?.document ?? EMPTY_AGENT,
          };
    const standing = await readStanding(db, { workspaceId: member.workspace.id, id });
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      tags: row.tags,
      owner: row.owner,
      mayAuthor,
      maySeeInventory: can(member.roles, 'seeAllRuns'),
      status: row.status,
      presence: agentPresence(standing, context.get(servicesContext).now()),
      published: inForce,
      connections: (await readPeers(db, inForce?.document ?? draft?.document ?? EMPTY_AGENT)).map((peer) => ({
        id: peer.id,
        name: peer.name,
        kind: peer.kind,
        status: peer.status,
        checkedAt: peer.last_check_at?.toISOString() ?? null,
      })),
      draft,
      versions: versions.map(({ number, created_at, content_hash, author }) => ({
        number: number ?? 0,
        at: created_at.toISOString(),
        contentHash: content_hash,
        author,
      })),
      runs: runs.map((run) => ({
        id: run.id,
        path: run.path,
        status: stepStatusIn(run.run_status, run.status),
        at: run.started_at.toISOString(),
        mode: run.mode,
        workflow: run.workflow ?? '',
      })),
    };
  });
}
export type LoadedAgent = Awaited<ReturnType<typeof loadAgent>>;

async function readAgent(db: Db, id: string) {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'a.workspace_id').onRef('m.user_id', '=', 'a.owner_id'))
    .where('a.id', '=', id)
    .where('a.kind', '=', 'agent')
    .where('a.deleted_at', 'is', null)
    .select(['a.id', 'a.name', 'a.description', 'a.tags', 'a.status', 'a.published_version_id', 'm.name as owner'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** The draft with its gaps. `review` is null where they keep it from being published. */
async function readDraft(db: Db, row: Parameters<typeof workflowOfAgent>[0]) {
  const { revision, document } = await loadAgentDraft(db, row.id);
  const issues = checkAgent(document, await loadAgentCatalogue(db));
  const own = { [row.id]: { name: row.name, document } };
  const review = issues.length > 0 ? null : await reviewOfDraft(db, { document: workflowOfAgent(row), own });
  return { revision, document, issues, review };
}

function readVersions(db: Db, id: string) {
  return db
    .selectFrom('quorate.versions as v')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'v.workspace_id').onRef('m.user_id', '=', 'v.author_id'))
    .where('v.artifact_id', '=', id)
    .where('v.number', 'is not', null)
    .orderBy('v.number', 'desc')
    .limit(50)
    .select(['v.id', 'v.number', 'v.created_at', 'v.content_hash', 'm.name as author'])
    .execute();
}

function readRuns(db: Db, id: string) {
  return db
    .selectFrom('quorate.steps as s')
    .innerJoin('quorate.runs as r', 'r.id', 's.run_id')
    .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .where('s.agent_id', '=', id)
    .orderBy('s.started_at', 'desc')
    .limit(SHOWN)
    .select(['r.id', 's.path', 's.status', 'r.status as run_status', 's.started_at', 'r.mode', 'a.name as workflow'])
    .execute();
}

/** The connections that an agent works with: its model's and its tools'. */
export function readPeers(db: Db, { connection, tools }: AgentDocument) {
  const slugs = [...(connection === null ? [] : [connection]), ...tools.map((tool) => tool.connection)];
  return db
    .selectFrom('quorate.connections')
    .where('slug', 'in', [...new Set(slugs), ''])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .select(['id', 'name', 'kind', 'endpoint', 'sealed_credential', 'settings', 'status', 'last_check_at'])
    .execute();
}

/** The options of the form for a new agent. */
export function loadNewAgent({ context }: { context: Readonly<RouterContextProvider> }) {
  const { read } = requireAgentAuthor(context);
  return read(async (db) => ({ offered: inReadersLanguage(context, (await loadAgentCatalogue(db)).capabilities) }));
}

/** The same with the draft that is edited. */
export function loadAgentEditor({ params, context }: Arguments) {
  const { read } = requireAgentAuthor(context);
  return read(async (db) => ({
    draft: await loadAgentDraft(db, requireAgentId(params.agent)),
    offered: inReadersLanguage(context, (await loadAgentCatalogue(db)).capabilities),
  }));
}

/** The workflows that continue with the version they hold, for the question before deleting. */
export function loadAgentDeletion({ params, context }: Arguments) {
  const { read } = requireAgentAuthor(context);
  return read(async (db) => {
    const { id, name } = await loadAgentDraft(db, requireAgentId(params.agent));
    return { id, name };
  });
}
