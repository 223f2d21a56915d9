import { type ActionFunctionArgs, href, redirect } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { createProvider } from '#app/engine/commands/sign-in/create-provider.ts';
import { editProvider } from '#app/engine/commands/sign-in/edit-provider.ts';
import { removeProvider } from '#app/engine/commands/sign-in/remove-provider.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { loadProvider } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { saveSamlProvider } from '#app/features/admin/sign-in/saml/saml-action.server.ts';
import { providerSchema } from '#app/features/admin/sign-in/sign-in-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

const HOME = href('/dashboard/admin/sign-in');

/** Keeps a new provider, and leads to its page, where it is tested. */
export async function addProvider({ request, context }: ActionFunctionArgs) {
  requirePermission(context, 'manageMembers');
  const parsed = await parseFormData(await request.formData(), providerSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { clientSecret: secret, ...given } = parsed.value;
  if (secret === '') return invalidForm(parsed.reply, { fieldErrors: { clientSecret: ['required'] } });
  const id = context.get(servicesContext).newId();
  try {
    await performAsMember(context, createProvider, { id, secret, ...given });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirect(href('/dashboard/admin/sign-in/:provider', { provider: id }), { status: 303 });
}

/** Changes a provider that does not count, or removes it. */
export async function saveProvider(args: ActionFunctionArgs) {
  const { request, params, context } = args;
  requirePermission(context, 'manageMembers');
  const id = params.provider ?? '';
  const form = await request.formData();
  if (form.get('intent') === 'remove') {
    try {
      await performAsMember(context, removeProvider, { id });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return redirectWithNotice(HOME, 'providerCounts', { kind: 'attention' });
    }
    return redirectWithNotice(HOME, 'providerRemoved');
  }
  const provider = await loadProvider(args);
  const { saml } = provider;
  if (saml !== null) return saveSamlProvider(context, form, { ...provider, saml });
  const parsed = await parseFormData(form, providerSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { clientSecret: secret, ...given } = parsed.value;
  try {
    await performAsMember(context, editProvider, { id, secret, ...given });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/admin/sign-in/:provider', { provider: id }), 'providerSaved');
}
