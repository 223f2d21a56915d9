import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { readWorkflowDocument } from '#app/domain/workflows/read-workflow-document.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { type ApiArguments, answer, idOf, readBody } from '#app/features/api/answer.server.ts';
import { apiDraft, apiDraftChange, apiNewWorkflow } from '#app/features/api/api-schemas.server.ts';
import { performAsKey } from '#app/perform.server.ts';

type Write = Pick<ApiArguments, 'context'> & { request: Request };

async function describeDraft(db: Db, id: string) {
  const { publishedVersionId, ...draft } = await loadDraft(db, id);
  const issues = checkWorkflow(draft.document, await loadCatalogue(db, id), parseExpression);
  return apiDraft.parse({ ...draft, published: publishedVersionId !== null, issues });
}

/** A workflow's draft, published or not, with its faults. */
export const readDraftApi = (args: ApiArguments & { params: { workflow: string } }) =>
  answer(args, z.object({}), (_, { access }) => access.read((db) => describeDraft(db, idOf(args.params.workflow))));

/** Reasons to refuse a document of the right shape: its size, or two steps with one id. */
function refusalOf(document: WorkflowDocument): Response | null {
  const read = readWorkflowDocument(JSON.stringify(document));
  if ('document' in read) return null;
  const places = read.issues.map(({ path, field, key, values }) => `${path === '' ? field : path}: ${key} ${JSON.stringify(values)}`);
  return problem('invalid_input', places.join('; '));
}

/** Makes a workflow with a draft. It is in force only when a person has published it. */
export function createWorkflowApi({ request, context }: Write): Promise<Response> {
  return withProblems(async () => {
    const sent = await readBody(request, context, { scope: createWorkflow.scope, method: 'POST', schema: apiNewWorkflow });
    if ('refused' in sent) return sent.refused;
    const { name, description, document = EMPTY_WORKFLOW } = sent.body;
    const refused = refusalOf(document);
    if (refused !== null) return refused;
    const { id } = await performAsKey(context, createWorkflow, { name, description, document, template: null });
    const { read } = context.get(keyContext);
    const { origin } = context.get(servicesContext);
    const Location = `${origin}/api/v1/workflows/${id}/draft`;
    return Response.json(await read((db) => describeDraft(db, id)), { status: 201, headers: { Location } });
  });
}

/** Puts a document in the place of a draft, over the revision that the program had read. */
export function changeDraftApi({ request, context, params }: Write & { params: { workflow: string } }): Promise<Response> {
  return withProblems(async () => {
    const sent = await readBody(request, context, { scope: editWorkflow.scope, method: 'PUT', schema: apiDraftChange });
    if ('refused' in sent) return sent.refused;
    const { revision, document } = sent.body;
    const refused = refusalOf(document);
    if (refused !== null) return refused;
    const workflow = idOf(params.workflow);
    await performAsKey(context, editWorkflow, { workflow, revision, document, how: { move: 'save-json' } });
    return Response.json(await context.get(keyContext).read((db) => describeDraft(db, workflow)));
  });
}
