import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { listGatewayTools, readGateway } from '#app/engine/gateways/read-gateways.ts';
import { callerOptions, gatewayUrl } from '#app/features/connections/gateways/load-gateways.server.ts';
import { requireGatewayId } from '#app/features/connections/gateways/save-gateway.server.ts';

type Arguments = { params: { gateway: string }; context: Readonly<RouterContextProvider> };

/** Further tools are found by searching. */
const SHOWN_TOOLS = 100;

const SHOWN_RUNS = 10;

/** A gateway with its tools, those that are searched for of many, and the latest calls of it that the member may see. */
export async function loadGateway({ params, context, url }: Arguments & { url: URL }) {
  const { member, read } = context.get(memberContext);
  const id = requireGatewayId(params.gateway);
  const mayKeep = can(member.roles, 'keepGateway');
  const { gateway, tools, runs, callers } = await read(async (db) => {
    const found = await readGateway(db, id);
    return {
      gateway: found,
      tools: await withApproval(db, await listGatewayTools(db, id)),
      runs: await readRuns(db, id),
      callers: mayKeep ? await callerOptions(db, found) : [],
    };
  });
  const { words } = readSearchWords(url.searchParams.get('q'));
  const found = tools.filter(({ name, title, description, connectionName }) =>
    `${name} ${title} ${description} ${connectionName}`.toLowerCase().includes(words.toLowerCase()),
  );
  const shown = found.toSorted((a, b) => Number(a.state === 'served') - Number(b.state === 'served')).slice(0, SHOWN_TOOLS);
  return {
    gateway,
    tools: inReadersLanguage(context, shown),
    search: tools.length > SHOWN_TOOLS ? { words, more: found.length - shown.length } : null,
    unserved: tools.filter(({ state }) => state !== 'served').length,
    runs: inReadersLanguage(context, runs),
    url: gatewayUrl(context, gateway.address),
    before: gatewayUrl(context, ''),
    callers,
    mayKeep,
  };
}
export type LoadedGateway = Awaited<ReturnType<typeof loadGateway>>;

/** The name alone, for the question before it is deleted. */
export async function loadGatewayDeletion({ params, context }: Arguments) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'keepGateway');
  const { id, name } = await read((db) => readGateway(db, requireGatewayId(params.gateway)));
  return { id, name };
}

/** `unapproved`: a changed tool that nobody has approved as it is now. */
async function withApproval<Tool extends { capabilityId: string; state: string }>(db: Db, tools: readonly Tool[]) {
  const changed = tools.filter(({ state }) => state === 'changed').map(({ capabilityId }) => capabilityId);
  if (changed.length === 0) return tools.map((tool) => ({ ...tool, unapproved: false }));
  const rows = await db
    .selectFrom('quorate.capabilities')
    .where('id', 'in', changed)
    .whereRef('approved_fingerprint', '=', 'fingerprint')
    .select('id')
    .execute();
  const approved = new Set(rows.map(({ id }) => id));
  return tools.map((tool) => ({ ...tool, unapproved: tool.state === 'changed' && !approved.has(tool.capabilityId) }));
}

async function readRuns(db: Db, gateway: string) {
  const rows = await db
    .selectFrom('quorate.runs as r')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
    )
    .where('r.artifact_id', '=', gateway)
    .orderBy('r.created_at', 'desc')
    .limit(SHOWN_RUNS)
    .select(['r.id', 'r.number', 'r.subject', 'r.status', 'r.created_at', 'm.name as initiator'])
    .execute();
  return rows.map(({ created_at, subject, ...row }) => ({ ...row, subject: readSubject(subject), at: created_at.toISOString() }));
}
