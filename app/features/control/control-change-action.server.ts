import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { withdrawControlChange } from '#app/engine/commands/control/withdraw-control-change.ts';
import { controlVoteSchema } from '#app/features/control/control-change-schema.ts';
import { requireControlReader } from '#app/features/control/require-reader.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { change: string }; context: Readonly<RouterContextProvider> };

/** The two forms of a control change: the vote of another person, and the withdrawal by who asked. */
export async function controlChangeAction(args: Args) {
  requireControlReader(args);
  const { change: id } = args.params;
  if (!z.uuid().safeParse(id).success) throw data({ code: 'not_found' }, { status: 404 });
  const form = await args.request.clone().formData();
  return form.get('command') === 'withdraw' ? withdraw(args, id) : decide(args, id);
}

async function decide({ request, context }: Args, id: string) {
  const parsed = await parseForm(request, controlVoteSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { vote, reason, digest, password } = parsed.value;
  const problem = await reauthenticate(context, password);
  if (problem !== null) return invalidForm(parsed.reply, { fieldErrors: { password: [problem] } });
  try {
    const { status } = await performAsMember(context, decideControlChange, {
      change: id,
      vote,
      reason,
      digest,
      reauthenticated: true,
    });
    return redirectWithNotice(
      href('/dashboard/changes/:change', { change: id }),
      status === 'approved' ? 'changeApproved' : 'changeRejected',
    );
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}

async function withdraw({ context }: Args, id: string) {
  const page = href('/dashboard/changes/:change', { change: id });
  try {
    await performAsMember(context, withdrawControlChange, { change: id });
  } catch (error) {
    // somebody decided meanwhile: the page shows the result
    if (error instanceof Refusal && error.code === 'conflict')
      return redirectWithNotice(page, 'changeClosedMeanwhile', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(page, 'changeWithdrawn');
}
