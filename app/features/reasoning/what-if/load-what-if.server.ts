import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';

const MOST = 300;
const KIND_OF = { call_tool: 'tool', call_agent: 'skill', call_model: 'model' } as const;

type Args = { params: { decision: string }; context: Readonly<RouterContextProvider> };

/** A decision with what can be asked instead: versions of policies, and capabilities of the same kind that are approved. */
export async function loadWhatIf({ params, context }: Args) {
  const { member, read } = context.get(memberContext);
  const id = z.uuid().safeParse(params.decision).data;
  const found = await read(async (db) => {
    if (id === undefined) return null;
    const row = await db
      .selectFrom('quorate.decisions as d')
      .leftJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'd.run_id').onRef('s.path', '=', 'd.step_path'))
      .where('d.id', '=', id)
      .where('d.workspace_id', '=', member.workspace.id)
      .select(['d.id', 'd.verdict', 'd.reason', 'd.action', 'd.context', 's.input', 's.name'])
      .executeTakeFirst();
    const kind = Object.entries(KIND_OF).find(([action]) => action === row?.action)?.[1];
    if (row === undefined || kind === undefined) return null;
    const versions = await db
      .selectFrom('quorate.versions as v')
      .innerJoin('quorate.artifacts as a', 'a.id', 'v.artifact_id')
      .select(['v.id', 'v.number', 'a.name'])
      .where('a.workspace_id', '=', member.workspace.id)
      .where('a.kind', '=', 'policy')
      .where('a.deleted_at', 'is', null)
      .where('v.number', 'is not', null)
      .orderBy('a.name')
      .orderBy('v.number', 'desc')
      .limit(MOST)
      .execute();
    const capabilities = await db
      .selectFrom('quorate.capabilities as k')
      .innerJoin('quorate.connections as c', 'c.id', 'k.connection_id')
      .select(['k.id', 'k.name', 'c.slug'])
      .where('k.workspace_id', '=', member.workspace.id)
      .where('k.kind', '=', kind)
      .where('k.removed_at', 'is', null)
      .where('c.deleted_at', 'is', null)
      .whereRef('k.approved_fingerprint', '=', 'k.fingerprint')
      .orderBy('c.slug')
      .orderBy('k.name')
      .limit(MOST)
      .execute();
    return { row, versions, capabilities };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const { row, versions, capabilities } = found;
  return inReadersLanguage(context, {
    ...{ id: row.id, verdict: row.verdict, reason: row.reason, step: row.name ?? '' },
    input: JSON.stringify(row.input ?? {}, null, 2),
    versions: versions.map((version) => ({ id: version.id, number: version.number ?? 0, name: version.name })),
    capabilities: capabilities.map((capability) => ({ id: capability.id, name: `${capability.slug}/${capability.name}` })),
  });
}
export type LoadedWhatIf = Awaited<ReturnType<typeof loadWhatIf>>;
