import { type ActionFunctionArgs, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { liftHalt } from '#app/engine/commands/halt/lift-halt.ts';
import { orderHalt } from '#app/engine/commands/halt/order-halt.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { requireAllowed } from '#app/engine/commands/perform.ts';
import { haltSchema, releaseSchema } from '#app/features/shell/halt-schema.ts';
import { performAsMember } from '#app/perform.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

const PAGE = href('/dashboard/admin/halt');

/** Halts the workspace, or asks to lift the halt: with the password, and for administrators alone. */
export async function haltOrRelease({ request, context }: ActionFunctionArgs) {
  // Before the password is asked for: it is counted against whoever may not halt otherwise.
  requireAllowed(orderHalt, memberPrincipal(context.get(memberContext)));
  const form = await request.clone().formData();
  return form.get('command') === 'release' ? release(request, context) : halt(request, context);
}

async function halt(request: Request, context: Readonly<RouterContextProvider>) {
  const parsed = await parseForm(request, haltSchema(shownWorkspaceName(context)));
  if (!parsed.ok) return invalidForm(parsed.reply);
  const fieldErrors = await reauthenticate(context, parsed.value);
  if (fieldErrors !== null) return invalidForm(parsed.reply, { fieldErrors });
  try {
    await performAsMember(context, orderHalt, { reason: parsed.value.reason });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(PAGE, 'workspaceHalted', { kind: 'attention' });
}

async function release(request: Request, context: Readonly<RouterContextProvider>) {
  const { workspace } = context.get(memberContext).member;
  const parsed = await parseForm(request, releaseSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const fieldErrors = await reauthenticate(context, parsed.value);
  if (fieldErrors !== null) return invalidForm(parsed.reply, { fieldErrors });
  const title = getTranslator(context, 'halt')('releaseOf', { workspace: workspace.name });
  try {
    const outcome = await performAsMember(context, liftHalt, { reason: parsed.value.reason, title });
    return redirectWithNotice(PAGE, outcome === 'requested' ? 'releaseRequested' : 'workspaceReleased');
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}
