import { randomBytes } from 'node:crypto';
import { data, type RouterContextProvider } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { nextTime, parseCron } from '#app/domain/cron.ts';
import { AppError } from '#app/domain/errors.ts';
import { hookSealContext } from '#app/domain/triggers.ts';
import { workflowDocumentSchema } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';
import { checkRunInput } from '#app/engine/runs/start-run.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { requireAuthor } from '#app/features/triggers/load-triggers.server.ts';
import { newScheduleSchema, newWebhookSchema, readInput } from '#app/features/triggers/trigger-schemas.ts';
import { authContext, servicesContext } from '#app/request-context.ts';

type Call = { request: Request; context: Readonly<RouterContextProvider> };
const UNIQUE_VIOLATION = '23505';
const SECRET_BYTES = 32;
/** Of one workspace. */
const MAX_TRIGGERS = 200;

/** Makes a schedule; its first time is the next after now. */
export async function createSchedule({ request, context }: Call) {
  const { member, change } = requireAuthor(context);
  const parsed = await parseForm(request, newScheduleSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { id, name, workflow, cron, timeZone, input } = parsed.value;
  const times = parseCron(cron);
  const values = readInput(input);
  if (times === null || values === null) throw new AppError('invalid_input');
  const nextAt = nextTime(times, timeZone, context.get(servicesContext).now());
  try {
    await change(async (db) => {
      const { document } = await findPublished(db, workflow);
      const checked = checkRunInput(document, values);
      if (!checked.ok) throw new UnfitInput(checked.issues.map(({ field }) => field).join(', '));
      await requireRoom(db, member.workspace.id);
      await db
        .insertInto('quorate.triggers')
        .values({
          id,
          workspace_id: member.workspace.id,
          artifact_id: workflow,
          kind: 'schedule',
          name,
          settings: JSON.stringify({ cron, timeZone, input: values }),
          next_at: nextAt,
          created_by: member.userId,
        })
        .execute();
      return {
        result: null,
        event: {
          action: 'trigger.created',
          resource: { kind: 'trigger', id, name },
          payload: { kind: 'schedule', workflow, cron, timeZone },
        },
      };
    });
  } catch (error) {
    if (error instanceof UnfitInput) return invalidForm(parsed.reply, { fieldErrors: { input: [error.said] } });
    const refusal = refusalOf(error);
    if (refusal !== null) return invalidForm(parsed.reply, refusal);
    if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
  }
  return redirectWithNotice('/dashboard/workflows/advanced', 'scheduleCreated');
}

export type CreatedHook = { name: string; address: string; secret: string };
export type NewHookAnswer = { created: CreatedHook | null; result: FormResult | undefined };

/** Makes a webhook. Its secret is in this one answer and nowhere else in the clear. */
export async function createWebhook({ request, context }: Call) {
  const { member, change } = requireAuthor(context);
  const { engine, origin } = context.get(servicesContext);
  const parsed = await parseForm(request, newWebhookSchema);
  const refuse = (errors?: Parameters<typeof invalidForm>[1]) =>
    data<NewHookAnswer>({ created: null, result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse();
  const { id, name, workflow } = parsed.value;
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  try {
    await change(async (db) => {
      await findPublished(db, workflow);
      await requireRoom(db, member.workspace.id);
      await db
        .insertInto('quorate.triggers')
        .values({
          id,
          workspace_id: member.workspace.id,
          artifact_id: workflow,
          kind: 'webhook',
          name,
          settings: '{}',
          secret_sealed: engine.sealer.seal(secret, hookSealContext(id)),
          created_by: member.userId,
        })
        .execute();
      return {
        result: null,
        event: { action: 'trigger.created', resource: { kind: 'trigger', id, name }, payload: { kind: 'webhook', workflow } },
      };
    });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== null) return refuse(refusal);
    if (isSqlState(error, UNIQUE_VIOLATION)) return refuse({ formErrors: ['hookMadeAlready'] });
    throw error;
  }
  context.get(authContext).headers.set('Cache-Control', 'private, no-store');
  return data<NewHookAnswer>({ created: { name, address: `${origin}/hooks/${id}`, secret }, result: undefined });
}

async function findPublished(db: Db, workflow: string) {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.id', '=', workflow)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .select('v.document')
    .executeTakeFirst();
  if (row === undefined) throw new NotPublished();
  return { document: workflowDocumentSchema.parse(row.document) };
}

async function requireRoom(db: Db, workspaceId: string): Promise<void> {
  const rows = await db.selectFrom('quorate.triggers').select('id').where('workspace_id', '=', workspaceId).limit(MAX_TRIGGERS).execute();
  if (rows.length >= MAX_TRIGGERS) throw new NoRoom();
}

function refusalOf(error: unknown) {
  if (error instanceof NotPublished) return { fieldErrors: { workflow: ['chooseOne'] } };
  return error instanceof NoRoom ? { formErrors: ['tooManyTriggers'] } : null;
}

class NotPublished extends Error {}
class NoRoom extends Error {}
class UnfitInput extends Error {
  readonly said: string;
  constructor(fields: string) {
    super('input does not fit');
    this.said = message('runInput', { fields });
  }
}
