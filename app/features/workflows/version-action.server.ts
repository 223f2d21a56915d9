import type { RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { loadDraft, saveDraft } from '#app/engine/workflows/drafts.ts';
import { loadVersion } from '#app/features/workflows/load-version.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Args = { request: Request; params: { workflow: string; number: string }; context: Readonly<RouterContextProvider> };

/** Makes a version the draft again; the draft as it was is one undo away. */
export async function restoreVersionAction({ request, params, context }: Args): Promise<never> {
  const access = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const revision = Number((await request.formData()).get('revision'));
  const number = Number(params.number);
  if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(number)) throw new AppError('invalid_input');
  await access.change(async (db) => {
    const version = await loadVersion(db, params.workflow, number, null);
    const draft = await loadDraft(db, params.workflow);
    await saveDraft(db, {
      artifactId: draft.id,
      expectedRevision: revision,
      document: version.document,
      authorId: access.member.userId,
      now: now(),
    });
    return {
      result: null,
      event: { action: 'workflow.edited', resource: { kind: 'workflow', id: draft.id, name: draft.name }, payload: { version: number } },
    };
  });
  throw redirectWithNotice(`/dashboard/workflows/${params.workflow}/edit`, 'versionIsDraft');
}
