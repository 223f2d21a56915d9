import type { RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { EMPTY_AGENT, versionDocumentSchema } from '#app/domain/workflows/agent.ts';
import { requireAgentId } from '#app/features/agents/load-agent.server.ts';

type Arguments = { params: { agent: string; number: string }; context: Readonly<RouterContextProvider> };

/** A version of an agent as it was frozen. @throws AppError not_found */
export async function loadAgentVersion({ params, context }: Arguments) {
  const { read } = context.get(memberContext);
  const id = requireAgentId(params.agent);
  const number = Number(params.number);
  if (!Number.isInteger(number) || number < 1 || number > 1_000_000) throw new AppError('not_found');
  const row = await read((db) =>
    db
      .selectFrom('quorate.versions as v')
      .innerJoin('quorate.artifacts as a', 'a.id', 'v.artifact_id')
      .leftJoin('quorate.members as m', (join) =>
        join.onRef('m.workspace_id', '=', 'v.workspace_id').onRef('m.user_id', '=', 'v.author_id'),
      )
      .where('a.id', '=', id)
      .where('a.kind', '=', 'agent')
      .where('a.deleted_at', 'is', null)
      .where('v.number', '=', number)
      .select(['v.id', 'v.document', 'v.content_hash', 'v.created_at', 'm.name as author', 'a.name', 'a.published_version_id'])
      .executeTakeFirst(),
  );
  if (row === undefined) throw new AppError('not_found');
  return {
    agent: { id, name: row.name },
    number,
    inForce: row.id === row.published_version_id,
    contentHash: row.content_hash,
    at: row.created_at.toISOString(),
    author: row.author,
    document: versionDocumentSchema.parse(row.document).agents[id]?.document ?? EMPTY_AGENT,
  };
}
export type LoadedAgentVersion = Awaited<ReturnType<typeof loadAgentVersion>>;
