import type { RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { writeWorkflowFile } from '#app/domain/workflows/import/workflow-file.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';

/** A version of a workflow (`?version=`), or its draft, as a file that can be imported. @throws AppError not_found */
export async function downloadWorkflow(context: Readonly<RouterContextProvider>, id: string, url: URL): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const number = url.searchParams.get('version');
  if (number === null) assertPermission(member.roles, 'authorWorkflow');
  else if (!/^[1-9]\d{0,8}$/.test(number)) throw new AppError('not_found');
  const file = await read(async (db) => {
    if (number === null) return loadDraft(db, id);
    const version = await db
      .selectFrom('quorate.versions as v')
      .innerJoin('quorate.artifacts as a', 'a.id', 'v.artifact_id')
      .where('a.id', '=', id)
      .where('a.kind', '=', 'workflow')
      .where('a.deleted_at', 'is', null)
      .where('v.number', '=', Number(number))
      .select(['a.name', 'a.description', 'v.document'])
      .executeTakeFirst();
    if (version === undefined) throw new AppError('not_found');
    return { ...version, document: workflowDocumentSchema.parse(version.document) };
  });
  return new Response(writeWorkflowFile(file), {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName(file.name)}${number === null ? '' : `-v${number}`}.json"`,
      'Cache-Control': 'private, no-store',
    },
  });
}

const fileName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'workflow';
