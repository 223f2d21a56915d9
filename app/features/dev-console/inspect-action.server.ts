import { type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { queueFull } from '#app/components/form/queue-full.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { demand } from '#app/domain/roles.ts';
import { isTerminalRunStatus } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';
import { startRunOnce } from '#app/engine/runs/start-run-once.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';
import { inspectSchema } from '#app/features/dev-console/inspect-schema.ts';
import { inspectionDocument } from '#app/features/dev-console/inspection-document.ts';
import { type MemberAccess, memberContext, memberStarter, servicesContext } from '#app/request-context.ts';

/** How long the answer waits for the call, so that a page without scripts has the result at once where it can. */
const WAIT_MS = 8_000;
const inputSchema = z.record(z.string().max(120), z.json());

/** Calls one capability as a test run of one step: under every policy, in the journal and in the log like any other run. */
export async function inspectAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const access = context.get(memberContext);
  demand(access.member.roles, 'authorWorkflow');
  const parsed = await parseForm(request, inspectSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const input = readInput(parsed.value.input);
  if (input === null) return invalidForm(parsed.reply, { fieldErrors: { input: ['jsonObject'] } });
  const [connection = '', ...rest] = parsed.value.capability.split('/');
  const item = (await access.read(loadCatalogueItems)).find((one) => one.connection === connection && one.capability === rest.join('/'));
  if (item === undefined || !item.approved) return invalidForm(parsed.reply, { fieldErrors: { capability: ['invalid'] } });
  const { userId, workspace } = access.member;
  const services = context.get(servicesContext);
  try {
    const name = `${item.connectionName}: ${item.title === '' ? item.capability : item.title}`.slice(0, 120);
    const document = inspectionDocument(item, input);
    const { runId } = await startRunOnce(memberStarter(access), services, {
      requestKey: parsed.value._key,
      async prepare(db) {
        const artifactId = await inspectionOf(db, { id: services.newId(), workspaceId: workspace.id, ownerId: userId, name });
        const version = await freezeVersion(db, {
          id: services.newId(),
          workspaceId: workspace.id,
          artifactId,
          authorId: userId,
          document,
          publish: false,
          now: services.now(),
        });
        return { artifactId, versionId: version.id, document, mode: 'test', input: {}, name };
      },
    });
    await untilOver(access, services.engine.watchRun, { runId, workspaceId: workspace.id });
    return redirect(`/dashboard/dev-console/inspector/${runId}`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'halted') return invalidForm(parsed.reply, { formErrors: ['workspaceHalted'] }, 423);
    if (error.values.what === 'queue') return queueFull(parsed.reply, error);
    throw error;
  }
}

function readInput(text: string): { [name: string]: Json } | null {
  try {
    return inputSchema.safeParse(JSON.parse(text === '' ? '{}' : text)).data ?? null;
  } catch {
    return null;
  }
}

/** One artifact for all inspections of a capability. */
async function inspectionOf(db: Db, wanted: { id: string; workspaceId: string; ownerId: string; name: string }): Promise<string> {
  const known = await db
    .selectFrom('quorate.artifacts')
    .where('workspace_id', '=', wanted.workspaceId)
    .where('kind', '=', 'inspection')
    .where('name', '=', wanted.name)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  await db
    .insertInto('quorate.artifacts')
    .values({ id: wanted.id, workspace_id: wanted.workspaceId, kind: 'inspection', name: wanted.name, owner_id: wanted.ownerId })
    .execute();
  return wanted.id;
}

/** Until the run has ended, waits for a person, or time is up. */
async function untilOver(access: MemberAccess, watchRun: Engine['watchRun'], run: { runId: string; workspaceId: string }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () =>
    access
      .read((db) => db.selectFrom('quorate.runs').where('id', '=', run.runId).select('status').executeTakeFirst())
      .then(
        (row) => {
          if (row === undefined || row.status === 'waiting' || isTerminalRunStatus(row.status)) resolve();
        },
        () => resolve(),
      );
  const timer = setTimeout(resolve, WAIT_MS);
  const stop = watchRun(run, (change) => {
    if (change !== 'journal') void look();
  });
  try {
    await look();
    await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
