import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { inputSchemaOf } from '#app/domain/workflows/workflow.ts';
import { listServedWorkflows, readServedWorkflow, type ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { type ApiArguments, answer, idOf, pageOfRows } from '#app/features/api/answer.server.ts';
import { apiWorkflow, pageQuery } from '#app/features/api/api-schemas.server.ts';

const toApi = (workflow: ServedWorkflow) => apiWorkflow.parse({ ...workflow, input: inputSchemaOf(workflow.document) });

/** Workflows in force. */
export const listWorkflowsApi = (args: ApiArguments) =>
  answer(args, pageQuery, async ({ limit, cursor }, { access }) => {
    const rows = await access.read((db) => listServedWorkflows(db, access.key.workspace.id, { after: cursor ?? null, limit: limit + 1 }));
    return pageOfRows(rows, limit, toApi);
  });

export const readWorkflowApi = (args: ApiArguments & { params: { workflow: string } }) =>
  answer(args, z.object({}), async (_, { access }) => {
    const id = idOf(args.params.workflow);
    const found = await access.read((db) => readServedWorkflow(db, access.key.workspace.id, id));
    if (found === null) throw new AppError('not_found');
    return toApi(found);
  });
