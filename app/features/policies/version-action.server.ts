import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { editPolicy } from '#app/engine/commands/policies/edit-policy.ts';
import { requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { loadPolicyVersion } from '#app/features/policies/load-version.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Makes a version the draft again. The active version changes only when the draft is published, under a new number. */
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
  const { id } = version.policy;
  try {
    const { name, description } = await loadPolicyForEdit({ params: { policy: id }, context });
    const state = {
      policy: id,
      revision: seenRevision,
      name,
      description,
      text: version.text,
      examples: version.examples.map(({ example }) => example),
    };
    await performAsMember(context, editPolicy, { ...state, ofVersion: version.number });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(
        href('/dashboard/policies/:policy/versions/:number', { policy: id, number: String(version.number) }),
        'policyChangedMeanwhile',
        { kind: 'attention' },
      );
    throw error;
  }
  return redirectWithNotice(href('/dashboard/policies/:policy/edit', { policy: id }), 'policyVersionIsDraft');
}
