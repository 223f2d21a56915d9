import { data, href, type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { createPolicySchema } from '#app/features/policies/policy-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** The link to create one is for members who may publish a policy. */
export function requirePolicyAuthor({ context }: { context: Readonly<RouterContextProvider> }): null {
  if (!can(context.get(memberContext).member.roles, 'authorPolicy')) throw data({ code: 'forbidden' }, { status: 403 });
  return null;
}

/** Makes a policy without a rule and goes to its editor. Nothing of it is in force. */
export async function createPolicyAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  requirePolicyAuthor({ context });
  const parsed = await parseForm(request, createPolicySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { id } = await performAsMember(context, createPolicy, parsed.value);
  return redirect(href('/dashboard/policies/:policy/edit', { policy: id }), 303);
}
