import { href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { activateGateway } from '#app/engine/commands/gateways/activate-gateway.ts';
import { createGateway } from '#app/engine/commands/gateways/create-gateway.ts';
import { deleteGateway } from '#app/engine/commands/gateways/delete-gateway.ts';
import { editGateway } from '#app/engine/commands/gateways/edit-gateway.ts';
import { GATEWAY_ADDRESS } from '#app/engine/commands/gateways/gateway-input.ts';
import { listGateways } from '#app/engine/gateways/read-gateways.ts';
import { addressOfName } from '#app/features/connections/gateways/gateway-address.ts';
import { gatewaySchema, newGatewaySchema } from '#app/features/connections/gateways/gateway-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
type Arguments = { request: Request; params: { gateway: string }; context: Context };

/** @throws AppError not_found where it is no id */
export function requireGatewayId(id: string): string {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found');
  return id;
}

/** Makes a gateway; its first tools are the next step. */
export async function newGatewayAction({ request, context }: Omit<Arguments, 'params'>) {
  assertPermission(context.get(memberContext).member.roles, 'keepGateway');
  const parsed = await parseForm(request, newGatewaySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const settings = await settingsOf(context, parsed.value, null);
  if (!GATEWAY_ADDRESS.test(settings.address)) return invalidForm(parsed.reply, WRONG_ADDRESS);
  try {
    await performAsMember(context, createGateway, { ...settings, id: parsed.value.id });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/plugins/gateways/:gateway/add', { gateway: parsed.value.id }), 'gatewayCreated');
}

const WRONG_ADDRESS = { fieldErrors: { address: [message('gatewayAddress')] } };

/** Pauses or resumes a gateway, or saves its settings. */
export async function gatewayAction({ request, params, context }: Arguments) {
  assertPermission(context.get(memberContext).member.roles, 'keepGateway');
  const gateway = requireGatewayId(params.gateway);
  const page = href('/dashboard/plugins/gateways/:gateway', { gateway });
  const intent = (await request.clone().formData()).get('intent');
  if (intent === 'pause' || intent === 'resume') {
    await performAsMember(context, activateGateway, { gateway, active: intent === 'resume' });
    return redirectWithNotice(page, intent === 'resume' ? 'gatewayResumed' : 'gatewayPaused');
  }
  const parsed = await parseForm(request, gatewaySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const settings = await settingsOf(context, parsed.value, gateway);
  if (!GATEWAY_ADDRESS.test(settings.address)) return invalidForm(parsed.reply, WRONG_ADDRESS);
  try {
    await performAsMember(context, editGateway, { ...settings, gateway });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(page, 'gatewaySaved');
}

export async function deleteGatewayAction({ params, context }: Omit<Arguments, 'request'>) {
  await performAsMember(context, deleteGateway, { gateway: requireGatewayId(params.gateway) });
  return redirectWithNotice(href('/dashboard/plugins/gateways'), 'gatewayDeleted');
}

/** As a command takes them. An address left empty is made of the name, beside those of the other gateways. */
async function settingsOf(
  context: Context,
  { address, callsAtOnce, callsAMinute, callerCallsAMinute, ...rest }: z.output<typeof gatewaySchema>,
  own: string | null,
) {
  const limits = { callsAtOnce: callsAtOnce ?? null, callsAMinute: callsAMinute ?? null, callerCallsAMinute: callerCallsAMinute ?? null };
  const settings = { ...rest, ...limits };
  if (address !== '') return { ...settings, address };
  const others = (await context.get(memberContext).read(listGateways)).filter(({ id }) => id !== own);
  return {
    ...settings,
    address: addressOfName(
      rest.name,
      others.map((other) => other.address),
    ),
  };
}
