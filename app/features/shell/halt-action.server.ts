import type { ActionFunctionArgs, RouterContextProvider } from 'react-router';
import { type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { proveIdentity } from '#app/components/form/prove-identity.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { demand } from '#app/domain/roles.ts';
import { countOtherApprovers, requestRelease } from '#app/engine/approvals/request-release.ts';
import { haltWorkspace, releaseWorkspace } from '#app/engine/runs/halt-workspace.ts';
import { haltSchema, releaseSchema } from '#app/features/shell/halt-schema.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

const PAGE = '/dashboard/admin/halt';

/** Halts the workspace, or asks to lift the halt: with the password, and for administrators alone. */
export async function haltOrRelease({ request, context }: ActionFunctionArgs) {
  demand(context.get(memberContext).member.roles, 'halt');
  const form = await request.clone().formData();
  return form.get('command') === 'release' ? release(request, context) : halt(request, context);
}

async function halt(request: Request, context: Readonly<RouterContextProvider>) {
  const { member, change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const parsed = await parseForm(request, haltSchema(member.workspace.name));
  if (!parsed.ok) return invalidForm(parsed.reply);
  const problem = await proveIdentity(context, parsed.value.password);
  if (problem !== null) return invalidForm(parsed.reply, { fieldErrors: { password: [problem] } });
  const { reason } = parsed.value;
  try {
    await change(async (db) => ({
      result: null,
      event: await haltWorkspace(db, { workspaceId: member.workspace.id, memberId: member.userId, now: now(), reason }),
    }));
  } catch (error) {
    return answerConflict(error, parsed.reply, 'haltedAlready');
  }
  return redirectWithNotice(PAGE, 'workspaceHalted', { kind: 'attention' });
}

async function release(request: Request, context: Readonly<RouterContextProvider>) {
  const { member, change } = context.get(memberContext);
  const { engine, newId, now } = context.get(servicesContext);
  const parsed = await parseForm(request, releaseSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const problem = await proveIdentity(context, parsed.value.password);
  if (problem !== null) return invalidForm(parsed.reply, { fieldErrors: { password: [problem] } });
  const { reason } = parsed.value;
  const workspaceId = member.workspace.id;
  const title = getTranslator(context, 'halt')('releaseOf', { workspace: member.workspace.name });
  try {
    const asked = await change(async (db) => {
      if ((await countOtherApprovers(db)) === 0)
        return { result: false, event: await releaseWorkspace(db, engine, { workspaceId, reason }) };
      const question = { approvalId: newId(), workspaceId, title, reason, requester: member.name, now: now() };
      return { result: true, event: await requestRelease(db, question) };
    });
    return redirectWithNotice(PAGE, asked ? 'releaseRequested' : 'workspaceReleased');
  } catch (error) {
    return answerConflict(error, parsed.reply, 'releasedAlready');
  }
}

/** Somebody else was quicker: said on the form, with what was typed. */
function answerConflict(error: unknown, reply: FormReply, sentence: string) {
  if (error instanceof AppError && error.code === 'conflict') return invalidForm(reply, { formErrors: [sentence] }, 409);
  throw error;
}
