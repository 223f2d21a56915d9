import { href, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedStart } from '#app/components/form/refused-start.server.ts';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { inspectCapability } from '#app/engine/commands/runs/inspect-capability.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';
import { inspectSchema } from '#app/features/dev-console/inspect-schema.ts';
import { inspectionDocument } from '#app/features/dev-console/inspection-document.ts';
import { performAsMember } from '#app/perform.server.ts';

/** How long the answer waits for the call, so that a page without scripts has the result at once where it can. */
const WAIT_MS = 8_000;
const inputSchema = z.record(z.string().max(120), z.json());

/** Calls one capability as a test run of one step: under every policy, in the journal and in the log like any other run. */
export async function inspectAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const access = context.get(memberContext);
  assertPermission(access.member.roles, 'authorWorkflow');
  const parsed = await parseForm(request, inspectSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const input = readInput(parsed.value.input);
  if (input === null) return invalidForm(parsed.reply, { fieldErrors: { input: ['jsonObject'] } });
  const [connection = '', ...rest] = parsed.value.capability.split('/');
  const item = (await access.read(loadCatalogueItems)).find((one) => one.connection === connection && one.capability === rest.join('/'));
  if (item === undefined || !item.approved) return invalidForm(parsed.reply, { fieldErrors: { capability: ['invalid'] } });
  const name = `${item.connectionName}: ${item.title === '' ? item.capability : item.title}`.slice(0, 120);
  const inspection = { name, document: inspectionDocument(item, input), requestKey: parsed.value._key };
  try {
    const { runId } = await performAsMember(context, inspectCapability, inspection);
    await untilOver(access, context.get(servicesContext).engine.watchRun, { runId, workspaceId: access.member.workspace.id });
    return redirect(href('/dashboard/dev-console/inspector/:run', { run: runId }), 303);
  } catch (error) {
    return refusedStart(parsed.reply, error);
  }
}

function readInput(text: string): { [name: string]: Json } | null {
  try {
    return inputSchema.safeParse(JSON.parse(text === '' ? '{}' : text)).data ?? null;
  } catch {
    return null;
  }
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
