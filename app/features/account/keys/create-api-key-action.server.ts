import { type ActionFunctionArgs, data } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { type FormErrors, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedErrors } from '#app/components/form/refused-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { authContext } from '#app/contracts/request-context.ts';
import { createApiKey, MAX_KEY_NETWORKS } from '#app/engine/commands/account/create-api-key.ts';
import { readRanges } from '#app/engine/limits/address-ranges.ts';
import { newApiKeySchema } from '#app/features/account/account-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

export type CreatedKey = { name: string; secret: string };
export type NewKeyAnswer = { created: CreatedKey | null; result: FormResult | undefined };

/**
 * Makes a key. Its secret is in this one answer and nowhere else, not even in a redirect: an address and a cookie are both kept. Sent
 * again, the form makes no second key.
 */
export async function createApiKeyAction({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, newApiKeySchema);
  const refuse = (errors?: FormErrors) =>
    data<NewKeyAnswer>({ created: null, result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse();
  const networks = readRanges(parsed.value.networks);
  if (!networks.ok) return refuse({ fieldErrors: { networks: [message('addressRange', { entry: networks.wrong })] } });
  if (networks.ranges.length > MAX_KEY_NETWORKS)
    return refuse({ fieldErrors: { networks: [message('tooManyNetworks', { most: MAX_KEY_NETWORKS })] } });
  try {
    const { secret } = await performAsMember(context, createApiKey, { ...parsed.value, networks: networks.ranges });
    context.get(authContext).headers.set('Cache-Control', 'private, no-store');
    return data<NewKeyAnswer>({ created: { name: parsed.value.name, secret }, result: undefined });
  } catch (error) {
    return refuse(refusedErrors(error).errors);
  }
}
