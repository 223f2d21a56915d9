import type { RouterContextProvider } from 'react-router';
import { data } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { checkWorkflow, type WorkflowIssue } from '#app/domain/workflow-check.ts';
import { parseExpression } from '#app/engine/runs/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

class NotPublishable extends Error {
  readonly issues: WorkflowIssue[];
  constructor(issues: WorkflowIssue[]) {
    super('not publishable');
    this.issues = issues;
  }
}

/** Freezes the draft as the next version, unless something in it is wrong: then every place is named and nothing changes. */
export async function publishAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { workflow: string };
  context: Readonly<RouterContextProvider>;
}) {
  const form = await request.formData();
  const revision = Number(form.get('revision'));
  const access = context.get(memberContext);
  const services = context.get(servicesContext);
  try {
    await access.change(async (db) => {
      const draft = await loadDraft(db, params.workflow);
      if (draft.revision !== revision) throw new AppError('conflict');
      const issues = checkWorkflow(draft.document, await loadCatalogue(db), parseExpression);
      if (issues.length > 0) throw new NotPublishable(issues);
      const version = await freezeVersion(db, {
        id: services.newId(),
        workspaceId: access.member.workspace.id,
        artifactId: draft.id,
        authorId: access.member.userId,
        document: draft.document,
        publish: true,
        now: services.now(),
      });
      return {
        result: null,
        event: {
          action: 'workflow.published',
          resource: { kind: 'workflow', id: draft.id, name: draft.name },
          payload: { version: version.number, contentHash: version.contentHash },
        },
      };
    });
  } catch (error) {
    if (error instanceof NotPublishable) return data({ issues: error.issues }, 400);
    if (error instanceof AppError && error.code === 'conflict')
      throw redirectWithNotice(`/dashboard/workflows/${params.workflow}/edit`, 'draftChangedMeanwhile');
    throw error;
  }
  throw redirectWithNotice(`/dashboard/workflows/${params.workflow}`, 'workflowPublished');
}
