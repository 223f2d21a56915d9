import { data, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { savePolicyDraft } from '#app/engine/policy/author-policy.ts';
import { requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { loadPolicyVersion } from '#app/features/policies/load-version.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Makes a version the draft again. Nothing changes what is in force before it is published, under a number of its own. */
export async function restorePolicyVersionAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { policy: string; number: string };
  context: Readonly<RouterContextProvider>;
}) {
  requirePolicyAuthor({ context });
  const seenRevision = Number((await request.formData()).get('revision') ?? Number.NaN);
  if (!Number.isSafeInteger(seenRevision)) throw data({ code: 'invalid_input' }, { status: 400 });
  const version = await loadPolicyVersion({ params, url: new URL(request.url), context });
  const { member, change } = context.get(memberContext);
  const { id } = version.policy;
  try {
    await change(async (db) => {
      const artifact = await db
        .selectFrom('quorate.artifacts')
        .select(['name', 'description'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const saved = await savePolicyDraft(
        db,
        { workspaceId: member.workspace.id, userId: member.userId },
        { id, seenRevision, ...artifact, text: version.text, now: context.get(servicesContext).now() },
      );
      const resource = { kind: 'policy', id, name: artifact.name };
      return {
        result: null,
        event: { action: 'policy.draftSaved', resource, payload: { revision: saved.revision, version: version.number } },
      };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(`/dashboard/policies/${id}/versions/${version.number}`, 'policyChangedMeanwhile', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(`/dashboard/policies/${id}/edit`, 'policyVersionIsDraft');
}
