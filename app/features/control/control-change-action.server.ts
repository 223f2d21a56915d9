import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { breakGlass } from '#app/engine/commands/control/break-glass.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { withdrawControlChange } from '#app/engine/commands/control/withdraw-control-change.ts';
import { breakGlassSchema, controlVoteSchema } from '#app/features/control/control-change-schema.ts';
import { requireControlReader } from '#app/features/control/require-reader.server.ts';
import { performAsMember } from '#app/perform.server.ts';
import { readTimeZone } from '#app/platform/i18n/preference-cookies.server.ts';

type Args = { request: Request; params: { change: string }; context: Readonly<RouterContextProvider> };

/** The forms of a control change: the vote of another person, break-glass, and the end of either by who asked. */
export async function controlChangeAction(args: Args) {
  requireControlReader(args);
  const { change: id } = args.params;
  if (!z.uuid().safeParse(id).success) throw data({ code: 'not_found' }, { status: 404 });
  const form = await args.request.clone().formData();
  const command = form.get('command');
  try {
    if (command === 'breakGlass') return await startAlone(args, id);
    return await (command === 'withdraw' ? withdraw(args, id) : decide(args, id));
  } catch (error) {
    // one that this member does not see is none for them
    if (error instanceof AppError) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
}

async function decide({ request, context }: Args, id: string) {
  const parsed = await parseForm(request, controlVoteSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { vote, reason, digest, meaning, ...proof } = parsed.value;
  const fieldErrors = await reauthenticate(context, proof, { act: 'vote', subjects: [id] });
  if (fieldErrors !== null) return invalidForm(parsed.reply, { fieldErrors });
  try {
    const zone = readTimeZone(request);
    const { status } = await performAsMember(context, decideControlChange, { change: id, vote, reason, digest, meaning, zone });
    return redirectWithNotice(href('/dashboard/changes/:change', { change: id }), NOTICES[status]);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}

const NOTICES = {
  approved: 'changeApproved',
  rejected: 'changeRejected',
  agreed: 'breakGlassAgreed',
  reverted: 'breakGlassReverted',
  left: 'breakGlassLeft',
} as const;

async function startAlone({ request, context }: Args, id: string) {
  const parsed = await parseForm(request, breakGlassSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { reason, hours, digest, ...proof } = parsed.value;
  const fieldErrors = await reauthenticate(context, proof, { act: 'break_glass', subjects: [id] });
  if (fieldErrors !== null) return invalidForm(parsed.reply, { fieldErrors });
  try {
    await performAsMember(context, breakGlass, { change: id, reason, hours, digest, zone: readTimeZone(request) });
    return redirectWithNotice(href('/dashboard/changes/:change', { change: id }), 'breakGlassStarted', { kind: 'attention' });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}

async function withdraw({ context }: Args, id: string) {
  const page = href('/dashboard/changes/:change', { change: id });
  try {
    const { outcome } = await performAsMember(context, withdrawControlChange, { change: id });
    return redirectWithNotice(page, outcome === null ? 'changeWithdrawn' : NOTICES[outcome]);
  } catch (error) {
    // somebody decided meanwhile: the page shows the result
    if (error instanceof Refusal && error.code === 'conflict')
      return redirectWithNotice(page, 'changeClosedMeanwhile', { kind: 'attention' });
    throw error;
  }
}
